// @style read-through cache with in-flight de-duplication and TTL: the same render helper once cold and once warm
const gt = require('../gt.cjs');
const { promisify } = require('node:util');
const sleep = promisify(setTimeout);

function createCache(load, { ttl = 5000 } = {}) {
  const values = new Map();
  const inFlight = new Map();
  const stats = { hits: 0, misses: 0, joined: 0 };

  function get(key) {
    const hit = values.get(key);
    if (hit && hit.expires > Date.now()) {
      stats.hits++;
      return Promise.resolve(hit.value);
    }
    if (inFlight.has(key)) {
      stats.joined++;
      return inFlight.get(key);
    }
    stats.misses++;
    const promise = load(key)
      .then((value) => { values.set(key, { value, expires: Date.now() + ttl }); return value; })
      .finally(() => inFlight.delete(key));
    inFlight.set(key, promise);
    return promise;
  }
  return { get, stats };
}

async function loadProfile(id) {
  await sleep(gt.ms(id + 100, 40, 70));
  return { id, name: 'profile ' + id };
}

const cache = createCache(loadProfile);

async function renderCard(group, userId, slot) { // @task cold warm
  const t = group.start(slot);
  const profile = await cache.get(userId);
  await sleep(gt.ms(slot, 15, 40)); // template
  return t.ok(`<li>${profile.name}</li>`);
}

const renderPage = (group, userIds) =>
  Promise.all(userIds.map((id, slot) => renderCard(group, id, slot))) // @group cold warm
    .then((cards) => { group.end(); return `<ul>${cards.join('')}</ul>`; });

async function main() {
  const ids = [1, 2, 3, 1, 1, 2, 4, 3, 4];
  const first = await renderPage(gt.group({ name: 'cold', kind: 'all', combinator: 'all', concurrency: 9, declared: 9 }), ids);
  await sleep(20);
  const second = await renderPage(gt.group({ name: 'warm', kind: 'all', combinator: 'all', concurrency: 9, declared: 9 }), ids);
  if (first !== second || cache.stats.misses !== 4) process.exitCode = 1;
}
main();
