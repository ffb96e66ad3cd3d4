// @style koa-like compose([...middleware]) around every job, consumers fed from one iterator
// @expect jobs: pool tasks=11 conc=3 ok=9 error=2 peak=3 lanes=3
'use strict';
var gt = require('../gt.cjs');
var g = gt.group({ name: 'jobs', kind: 'pool', concurrency: 3, declared: 11 });

function compose(middleware) {
	return function (context, next) {
		let index = -1;
		return dispatch(0);
		function dispatch(i) {
			if (i <= index) return Promise.reject(new Error('next() called multiple times'));
			index = i;
			let fn = middleware[i];
			if (i === middleware.length) fn = next;
			if (!fn) return Promise.resolve();
			try {
				return Promise.resolve(fn(context, dispatch.bind(null, i + 1)));
			} catch (err) {
				return Promise.reject(err);
			}
		}
	};
}

class JobApp {
	constructor() { this.stack = []; this.failed = []; }
	use(fn) { this.stack.push(fn); return this; }
	async work(jobs, consumers) {
		const handle = compose(this.stack);
		const source = jobs[Symbol.iterator]();
		const consumer = async (n) => { // @worker jobs
			for (;;) {
				const { done, value: job } = source.next();
				if (done) return;
				await handle({ job, state: {}, consumer: n }).catch((err) => this.failed.push([job.id, err.message]));
			}
		};
		const running = [];
		for (let n = 0; n < consumers; n++) running.push(consumer(n));
		await Promise.all(running); // @group jobs
	}
}

const app = new JobApp();

app.use(async function timing(ctx, next) {
	const from = process.hrtime.bigint();
	await next();
	ctx.state.took = process.hrtime.bigint() - from;
});
app.use((ctx, next) => {
	ctx.state.tenant = ctx.job.id % 2 ? 'odd' : 'even';
	return next();
});
app.use(async function errors(ctx, next) {
	try { await next(); } catch (cause) { throw new Error('job ' + ctx.job.id, { cause }); }
});
app.use(async function execute(ctx) { // @task jobs
	const t = g.start(ctx.job.id, { worker: ctx.consumer });
	await new Promise((resolve) => setTimeout(resolve, gt.ms(ctx.job.id)));
	if (ctx.job.id % 5 === 4) throw t.fail(new RangeError('bad payload'));
	t.ok();
});

app.work(gt.range(11).map((id) => ({ id })), 3).then(() => {
	g.end();
});
