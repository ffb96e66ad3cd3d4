// @style a sync generator decides what is next (weighted round robin over queues); lanes are then-chains that call themselves
// @expect deliveries: pool tasks=12 conc=3 ok=10 error=2 peak=3
const gt = require('../gt.cjs')
const g = gt.group({ name: 'deliveries', kind: 'pool', concurrency: 3, declared: 12 })

const queues = {
    email: { weight: 2, jobs: gt.range(6).map((n) => ({ id: n, channel: 'email' })) },
    sms: { weight: 1, jobs: gt.range(4).map((n) => ({ id: 6 + n, channel: 'sms' })) },
    push: { weight: 1, jobs: gt.range(2).map((n) => ({ id: 10 + n, channel: 'push' })) },
}

function* fairly(all) {
    let gave = true
    while (gave) {
        gave = false
        for (const { weight, jobs } of Object.values(all)) {
            for (let k = 0; k < weight && jobs.length; k++) {
                gave = true
                yield jobs.shift()
            }
        }
    }
}

const senders = {
    email: (job, cb) => setTimeout(cb, gt.ms(job.id, 20, 50), null, 'queued'),
    sms: (job, cb) => setTimeout(cb, gt.ms(job.id, 20, 50), job.id % 2 ? new Error('unroutable number') : null, 'sent'),
    push: (job, cb) => setTimeout(cb, gt.ms(job.id, 20, 50), null, 'delivered'),
}

function deliver(job) { // @task deliveries
    const t = g.start(job.id)
    return new Promise(function (resolve, reject) {
        senders[job.channel](job, function (err, receipt) {
            if (err) return reject(t.fail(err))
            resolve(t.ok(receipt))
        })
    })
}

function dispatch(source, lanes, fn) {
    const receipts = []
    const lane = () => { // @worker deliveries
        const step = source.next()
        if (step.done) return Promise.resolve()
        return fn(step.value).then((r) => receipts.push(r), (err) => receipts.push(err)).then(lane)
    }
    return Promise.all(Array(lanes).fill(null).map(lane)).then(() => receipts) // @group deliveries
}

dispatch(fairly(queues), 3, deliver).then((receipts) => {
    g.end()
    process.exitCode = receipts.length === 12 ? 0 : 8
})
