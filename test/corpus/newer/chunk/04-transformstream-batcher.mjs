// @style web streams: ReadableStream.from -> TransformStream that holds 3 items and runs them with Promise.all -> WritableStream
// @minNode 22
// @expect places: chunk tasks=10 conc=3 chunks=4 ok=10 error=0 peak=3
import gt from '../gt.cjs'

const g = gt.group({ name: 'places', kind: 'chunk', combinator: 'all', concurrency: 3, size: 3, declared: 10 })
const sleep = ms => new Promise(resolve => setTimeout(resolve, ms))

async function geocode (n) { // @task places
  const t = g.start(n)
  await sleep(gt.ms(n, 10, 40))
  await sleep(gt.ms(n + 50, 5, 30))
  return t.ok({ n, lat: 47 + n, lon: 8 - n })
}

class Batcher extends TransformStream {
  constructor (size, work) {
    let held = []
    const run = async controller => {
      const now = held.splice(0)
      const results = await Promise.all(now.map(work)) // @group places
      results.forEach(r => controller.enqueue(r))
    }
    super({
      async transform (item, controller) {
        held.push(item)
        if (held.length === size) await run(controller)
      },
      async flush (controller) {
        if (held.length) await run(controller)
      }
    }, new CountQueuingStrategy({ highWaterMark: 2 }), new CountQueuingStrategy({ highWaterMark: 8 }))
  }
}

const rows = []
await ReadableStream.from(gt.range(10))
  .pipeThrough(new Batcher(3, geocode))
  .pipeTo(new WritableStream({ write: row => { rows.push(row) } }))
g.end()
