// @style Array.fromAsync twice: over an async generator with an async mapper (one at a time), then over an array of promises that all run already (all at once)
// @minNode 22
// @hard the same call is sequential once and concurrent once: only the source tells
// @expect pages: sequential tasks=5 conc=1 ok=5 error=0 peak=1
// @expect avatars: all tasks=6 conc=6 ok=6 error=0 peak=6
import gt from '../gt.cjs';

const sleep = (ms) => new Promise((r) => setTimeout(r, ms));
const pages = gt.group({ name: 'pages', kind: 'sequential', concurrency: 1, declared: 5 });

async function* cursors() {
  let cursor = 0;
  do {
    await null;
    yield cursor++;
  } while (cursor < 5);
}

async function loadPage(cursor) { // @task pages
  const t = pages.start(cursor);
  await sleep(gt.ms(cursor, 20, 50));
  return t.ok([cursor * 2, cursor * 2 + 1]);
}

const users = (await Array.fromAsync(cursors(), loadPage)).flat(); // @group pages
pages.end();

const avatars = gt.group({ name: 'avatars', kind: 'all', combinator: 'none', concurrency: 6, declared: 6, note: 'started by map, only awaited by fromAsync' });

const loadAvatar = async (user) => { // @task avatars
  const t = avatars.start(user);
  await sleep(gt.ms(user + 20, 30, 90));
  return t.ok(`${user}.png`);
};

const pictures = await Array.fromAsync(users.slice(0, 6).map(loadAvatar)); // @group avatars
avatars.end();
if (pictures.length !== 6) process.exitCode = 2;
