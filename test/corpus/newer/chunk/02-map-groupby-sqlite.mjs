// @style Map.groupBy pages, allSettled per page, rows saved with node:sqlite between the pages, errors kept with cause in an AggregateError
// @minNode 22
// @expect sensors: chunk tasks=13 conc=5 chunks=3 ok=11 error=2 peak=5
import { DatabaseSync } from "node:sqlite"
import { scheduler } from "node:timers/promises"
import gt from "../gt.cjs"

const g = gt.group({ name: "sensors", kind: "chunk", combinator: "allSettled", concurrency: 5, size: 5, declared: 13 })
const db = new DatabaseSync(":memory:")
db.exec("CREATE TABLE reading (sensor INTEGER PRIMARY KEY, celsius REAL NOT NULL) STRICT")
const insert = db.prepare("INSERT INTO reading VALUES (?, ?)")

const readSensor = async (sensor) => { // @task sensors
  const t = g.start(sensor)
  await scheduler.wait(gt.ms(sensor, 15, 60))
  if (sensor === 4 || sensor === 11) throw t.fail(new RangeError(`sensor ${sensor} is out of range`))
  return t.ok(18 + sensor / 10)
}

const pages = Map.groupBy(gt.range(13), (sensor) => Math.trunc(sensor / 5))
const failures = []
for (const [page, sensors] of pages) {
  const results = await Promise.allSettled(sensors.map(readSensor)) // @group sensors
  db.exec("BEGIN")
  for (const [k, { status, value, reason }] of results.entries()) {
    if (status === "fulfilled") insert.run(sensors[k], value)
    else failures.push(new Error(`page ${page}`, { cause: reason }))
  }
  db.exec("COMMIT")
}
g.end()

const { n } = db.prepare("SELECT count(*) AS n FROM reading").get()
const report = new AggregateError(failures, `${n} saved, ${failures.length} failed`)
if (report.errors.length + n !== 13) process.exitCode = 2
db.close()
