// @style PQueue.addAll of bound functions; every job fills a PQueue of its own and waits for onIdle().then
// @lib p-queue
// @expect orders: pool tasks=5 conc=2 ok=5 error=0 peak=2
// @expect lines-*: pool groups=5 tasks=4 conc=2 ok=4 error=0 peak=2 parent=orders/*
import PQueue from 'p-queue'
import { setTimeout as delay } from 'node:timers/promises'
import gt from '../gt.cjs'

const orders = gt.group({ name: 'orders', kind: 'pool', lib: 'p-queue', concurrency: 2, declared: 5 })

function pickLine (lines, order, line) { // @task lines-*
  const t = lines.start(line)
  return delay(gt.ms(order * 4 + line, 15, 45)).then(() => t.ok(line))
}

function handleOrder (order) { // @task orders
  const t = orders.start(order)
  const lines = gt.group({ name: 'lines-' + order, kind: 'pool', lib: 'p-queue', concurrency: 2, declared: 4, parent: t })
  const picking = new PQueue({ concurrency: 2 })
  for (let line = 0; line < 4; line++) {
    picking.add(pickLine.bind(null, lines, order, line)) // @group lines-*
  }
  return picking.onIdle().then(() => {
    lines.end()
    return t.ok(order)
  })
}

const shop = new PQueue({ concurrency: 2 })
await shop.addAll(gt.range(5).map((order) => handleOrder.bind(shop, order))) // @group orders
orders.end()
