// @style users.map(fetchAll) point-free; fetchAll(user) is one returned Promise.all([profile(), friends(), badges()]).then; friends() is an allSettled of avatars
// @expect users: all tasks=4 conc=4 ok=3 error=1 peak=4
// @expect parts-*: all groups=4 tasks=3 conc=3 peak=3 parent=users/*
// @expect avatars-*: allSettled groups=4 tasks=3 conc=3 peak=3
import gt from '../gt.cjs';

const users = gt.group({ name: 'users', kind: 'all', combinator: 'all', concurrency: 4, declared: 4 });
const get = (ms, body) => new Promise((ok) => setTimeout(ok, ms, body));

function avatar(avatars, user, k) { // @task avatars-*
  const t = avatars.start(k);
  return get(gt.ms(user * 3 + k, 15, 50), `${user}-${k}.jpg`).then((file) => {
    if (k === user) throw t.fail(new Error('no picture'));
    return t.ok(file);
  });
}

function profile(parts, user) { // @task parts-*
  const t = parts.start('profile');
  return get(30 + 5 * user, { user }).then(t.ok.bind(t));
}

function friends(parts, user) { // @task parts-*
  const t = parts.start('friends');
  const avatars = gt.group({ name: `avatars-${user}`, kind: 'allSettled', combinator: 'allSettled', concurrency: 3, declared: 3, parent: t });
  const pictures = [0, 1, 2].map((k) => avatar(avatars, user, k));
  return Promise.allSettled(pictures) // @group avatars-*
    .then((list) => {
      avatars.end();
      return t.ok(list.map(({ value = 'blank.jpg' }) => value));
    });
}

function badges(parts, user) { // @task parts-*
  const t = parts.start('badges');
  return get(gt.ms(user + 60, 70, 90), user).then((n) => {
    if (n === 2) throw t.fail(new Error('badge service'));
    return t.ok(n);
  });
}

function fetchAll(user) { // @task users
  const t = users.start(user);
  const parts = gt.group({ name: `parts-${user}`, kind: 'all', combinator: 'all', concurrency: 3, declared: 3, parent: t });
  return Promise.all([profile(parts, user), friends(parts, user), badges(parts, user)]) // @group parts-*
    .then(([who, faces, badge]) => { parts.end(); return t.ok({ ...who, faces, badge }); })
    .catch((err) => { parts.end('error'); throw t.fail(err); });
}

const cards = gt.range(4).map(fetchAll);
Promise.all(cards.map((card) => card.catch(() => null))).then((list) => { // @group users
  users.end();
  if (list.filter(Boolean).length !== 3) process.exitCode = 1;
});
