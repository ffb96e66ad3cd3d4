// @style curried inLanes(width)(job)(list); a lane is job(x).then(turn); two runs after each other, then two at once
// @expect names: pool tasks=6 conc=2 ok=6 error=0 peak=2
// @expect prices: pool tasks=7 conc=3 ok=7 error=0 peak=3
// @expect eu: pool tasks=6 conc=2 ok=6 error=0 peak=2
// @expect us: pool tasks=8 conc=3 ok=8 error=0 peak=3
const gt = require('../gt.cjs')
const wait = ms => new Promise(done => setTimeout(done, ms))

const inLanes = width => job => list => {
  let at = 0
  const turn = () => (at < list.length ? job(list[at++]).then(turn) : Promise.resolve()) // @worker names prices eu us
  return Promise.all(Array.from({ length: width }, turn)) // @group names prices eu us
}
const inTwo = inLanes(2)
const inThree = inLanes(3)

const open = (name, concurrency, declared) => gt.group({ name, kind: 'pool', concurrency, declared })
const lookUp = group => shift => id => { // @task names prices eu us
  const t = group.start(id)
  return wait(gt.ms(id + shift)).then(() => t.ok(id))
}

const names = open('names', 2, 6)
inTwo(lookUp(names)(0))(gt.range(6))
  .then(() => names.end())
  .then(() => {
    const prices = open('prices', 3, 7)
    return inThree(lookUp(prices)(10))(gt.range(7)).then(() => prices.end())
  })
  .then(() => {
    const eu = open('eu', 2, 6)
    const us = open('us', 3, 8)
    const first = inTwo(lookUp(eu)(20))(gt.range(6))
    const second = inThree(lookUp(us)(30))(gt.range(8))
    second.then(() => us.end())
    return first.then(() => { eu.end(); return second })
  })
