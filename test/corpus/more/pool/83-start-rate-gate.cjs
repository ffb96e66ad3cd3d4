// @style rate limit on the starts only: a gate chain lets one call through every 35 ms, nothing waits for the calls themselves
// @expect towns: pool tasks=9 ok=9 error=0
const gt = require('../gt.cjs')
const g = gt.group({ name: 'towns', kind: 'pool', concurrency: null, declared: 9, note: 'limits the start rate, not the number running' })

const after = ms => new Promise(go => setTimeout(go, ms))

function everySoOften (fn, gap) {
  let gate = Promise.resolve()
  return function (...args) {
    const mine = gate.then(() => fn(...args))
    gate = gate.then(() => after(gap))
    return mine
  }
}

const TOWNS = ['Ulm', 'Jena', 'Gera', 'Fulda', 'Trier', 'Celle', 'Hamm', 'Bonn', 'Kiel']

function geocode (town) { // @task towns
  const t = g.start(town)
  return after(gt.ms(TOWNS.indexOf(town), 50, 110)).then(() => t.ok({ town, lat: 50 }))
}

const gently = everySoOften(geocode, 35)
Promise.all(TOWNS.map(name => gently(name))) // @group towns
  .then(places => g.end(places.length === 9 ? 'ok' : 'error'))
