// @style resizable pool: virtual users of a small load tester are hired and retired while it runs (2 -> 4 -> 1)
// @expect shots: pool tasks=18 ok=18 error=0 peak=4
import { EventEmitter } from 'node:events';
import gt from '../gt.cjs';

function defer() {
	const d = {};
	d.promise = new Promise((resolve, reject) => Object.assign(d, { resolve, reject }));
	return d;
}

class VirtualUsers extends EventEmitter {
	#scenario;
	#queue = [];
	#size = 0;
	#alive = 0;
	#finished = defer();

	constructor(scenario) {
		super();
		this.#scenario = scenario;
	}

	load(requests) {
		this.#queue.push(...requests);
		return this;
	}

	get size() { return this.#size; }
	set size(n) {
		this.#size = n;
		while (this.#alive < this.#size && this.#queue.length) this.#user(); // @group shots
	}

	async #user() { // @worker shots
		this.#alive++;
		while (this.#queue.length && this.#alive <= this.#size) {
			const request = this.#queue.shift();
			const took = await this.#scenario(request); // @group shots
			this.emit('response', request, took);
		}
		if (--this.#alive === 0) this.#finished.resolve();
	}

	finished() {
		return this.#finished.promise;
	}
}

const truth = gt.group({ name: 'shots', kind: 'pool', concurrency: 2, declared: 18 });

async function hit(url) { // @task shots
	const t = truth.start(url);
	const begin = performance.now();
	await new Promise((r) => setTimeout(r, gt.ms(Number(url.split('=')[1]), 25, 60)));
	return t.ok(performance.now() - begin);
}

const users = new VirtualUsers(hit);
const timings = [];
users.on('response', (url, took) => {
	timings.push(took);
	if (timings.length === 4) { truth.setConcurrency(4); users.size = 4; }
	if (timings.length === 12) { truth.setConcurrency(1); users.size = 1; }
});

users.load(gt.range(18).map((n) => `/search?q=${n}`));
users.size = 2;
await users.finished(); // @group shots
truth.end();

timings.sort((a, b) => a - b);
if (!(timings[Math.floor(timings.length / 2)] > 0)) process.exitCode = 1;
