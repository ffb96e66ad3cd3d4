// @style Promise.try(fn, arg) around a function that may throw at once, in-flight Set, Promise.race when it is full; the list is a Set difference
// @minNode 24
// @expect charges: pool tasks=11 conc=3 ok=9 error=2 peak=3
import gt from '../gt.cjs'
const g = gt.group({ name: 'charges', kind: 'pool', concurrency: 3, declared: 11 })

const LIMIT = 3
const cards = new Set(gt.range(13))
const blocked = new Set([1, 8, 40])

// not async on purpose: a bad number throws right here
function charge(card) { // @task charges
  const t = g.start(card)
  if (card === 6) throw t.fail(new TypeError('card 6 has no number'))
  return new Promise((resolve, reject) => {
    setTimeout(() => card === 10 ? reject(t.fail(new Error('declined'))) : resolve(t.ok(card)), gt.ms(card))
  })
}

const inflight = new Set()
const failed = []
for (const card of cards.difference(blocked)) {
  const p = Promise.try(charge, card)
    .catch((error) => { failed.push({ card, error }) })
    .finally(() => inflight.delete(p))
  inflight.add(p)
  if (inflight.size >= LIMIT) await Promise.race(inflight) // @group charges
}
await Promise.all(inflight)
g.end()
if (failed.length !== 2) process.exitCode = 2
