// @style co-style runner of the program's own over a generator: yield Promise.all(part.map(fn)) in a for loop, tasks are new Promise functions
// @expect invoices: chunk tasks=10 conc=4 chunks=3 ok=10 error=0 peak=4
// @expect mails: chunk tasks=5 conc=2 chunks=3 ok=5 error=0 peak=2
const gt = require('../gt.cjs');

function spawn(genFn) {
    const gen = genFn();
    return new Promise(function (resolve, reject) {
        function step(method, arg) {
            let res;
            try { res = gen[method](arg); } catch (e) { return reject(e); }
            if (res.done) return resolve(res.value);
            Promise.resolve(res.value).then((v) => step('next', v), (e) => step('throw', e));
        }
        step('next');
    });
}

const invoices = gt.group({ name: 'invoices', kind: 'chunk', combinator: 'all', concurrency: 4, size: 4, declared: 10 });
function renderInvoice(no) { // @task invoices
    return new Promise(function (resolve) {
        const t = invoices.start(no);
        setTimeout(function () { resolve(t.ok({ no, pdf: true })); }, gt.ms(no));
    });
}
let mails;
const sendMail = function (invoice) { // @task mails
    const t = mails.start(invoice.no);
    return new Promise((sent) => setTimeout(sent, gt.ms(invoice.no + 40, 15, 45))).then(() => t.ok());
};

spawn(function* () {
    const ready = [];
    for (let i = 0; i < 10; i += 4) {
        const part = yield Promise.all(gt.range(10).slice(i, i + 4).map(renderInvoice)); // @group invoices
        ready.push(...part);
    }
    invoices.end();
    mails = gt.group({ name: 'mails', kind: 'chunk', combinator: 'all', concurrency: 2, size: 2, declared: 5 });
    const due = ready.filter((inv) => inv.no % 2);
    while (due.length) yield Promise.all(due.splice(0, 2).map(sendMail)); // @group mails
    mails.end();
}).catch((e) => { process.exitCode = 1; throw e; });
