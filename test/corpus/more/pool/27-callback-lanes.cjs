// @style four lanes of a callback that takes the next key from a list: function next() { pbkdf2(…, () => next()) }
// @expect keys: pool tasks=13 conc=4 ok=13 error=0 peak=4
const crypto = require('crypto');
const gt = require('../gt.cjs');
const g = gt.group({ name: 'keys', kind: 'pool', concurrency: 4, declared: 13 });
const words = gt.range(13).map((n) => `word-${n}`);
let open = 0;
function next() { // @task keys
  const word = words.shift();
  if (word === undefined) return;
  open++;
  const t = g.start(word);
  crypto.pbkdf2(word, 'salt', 30000, 32, 'sha256', () => {
    t.ok();
    if (--open === 0 && words.length === 0) g.end();
    next();
  });
}
for (let lane = 0; lane < 4; lane++) next(); // @group keys
