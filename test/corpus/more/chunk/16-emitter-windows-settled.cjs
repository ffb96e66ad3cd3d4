// @style tasks are new Promise around an EventEmitter (done / error); windows by recursion in .then, Promise.allSettled per window
// @expect uploads: chunk tasks=11 conc=4 chunks=3 ok=9 error=2 peak=4
'use strict';
const { EventEmitter } = require('node:events');
const gt = require('../gt.cjs');
const g = gt.group({ name: 'uploads', kind: 'chunk', combinator: 'allSettled', concurrency: 4, size: 4, declared: 11 });

class Transfer extends EventEmitter {
    constructor(n) { super(); this.n = n; this.sent = 0; }
    begin() {
        const part = () => {
            this.sent += 1;
            this.emit('progress', this.sent);
            if (this.n % 4 === 3) return this.emit('error', new Error(`lost connection at ${this.n}`));
            if (this.sent < 3) setTimeout(part, gt.ms(this.n, 15, 45) / 3);
            else this.emit('done', this.n);
        };
        setTimeout(part, gt.ms(this.n, 15, 45) / 3);
        return this;
    }
}

const upload = (n) => new Promise((resolve, reject) => { // @task uploads
    const t = g.start(n);
    new Transfer(n)
        .once('done', (v) => resolve(t.ok(v)))
        .once('error', (e) => reject(t.fail(e)))
        .begin();
});

const files = gt.range(11);
const failed = [];
const windowFrom = (from) => {
    if (from >= files.length) return failed;
    const names = files.slice(from, from + 4);
    return Promise.allSettled(names.map(upload)) // @group uploads
        .then((results) => {
            results.forEach((r, i) => { if (r.status === 'rejected') failed.push(names[i]); });
            return windowFrom(from + 4);
        });
};

Promise.resolve(0).then(windowFrom).then(() => g.end());
