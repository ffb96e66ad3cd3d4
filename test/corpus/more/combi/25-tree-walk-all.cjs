// @style recursive walk(node): readDir(node).then((kids) => Promise.all(kids.map(walk))), three levels of the one function
// @expect top: all tasks=3 conc=3 ok=3 error=0 peak=3
// @expect mid-*: all groups=3 tasks=2 conc=2 ok=2 error=0 peak=2 parent=top/*
// @expect low-*: all groups=6 tasks=3 conc=3 ok=3 error=0 peak=3
const gt = require('../gt.cjs');

const tree = { a: ['aa', 'ab'], b: ['ba', 'bb'], c: ['ca', 'cb'] };
const order = ['a', 'b', 'c', 'aa', 'ab', 'ba', 'bb', 'ca', 'cb'];

function readDir(name) {
  return new Promise((resolve) => setTimeout(() => {
    if (name === '') resolve(Object.keys(tree));
    else if (tree[name]) resolve(tree[name]);
    else resolve(name.length === 2 ? ['1', '2', '3'].map((n) => name + n) : []);
  }, 10 + (name.charCodeAt(name.length - 1) || 0) % 7 * 5));
}

const levels = [
  () => 'top',
  (name) => `mid-${order.indexOf(name)}`,
  (name) => `low-${order.indexOf(name)}`,
];

function children(name, depth, kids, parent) {
  if (!kids.length) return [];
  const group = gt.group({ name: levels[depth](name), kind: 'all', combinator: 'all', concurrency: kids.length, declared: kids.length, parent });
  return Promise.all(kids.map((kid) => walk(kid, depth + 1, group))) // @group top mid-* low-*
    .then((found) => { group.end(); return found.flat(); });
}

function walk(name, depth, group) { // @task top mid-* low-*
  const t = group.start(name);
  return readDir(name)
    .then((kids) => children(name, depth, kids, t))
    .then((found) => t.ok([name, ...found]));
}

readDir('')
  .then((kids) => children('', 0, kids, null))
  .then((paths) => { process.exitCode = paths.length === 27 ? 0 : 1; });
