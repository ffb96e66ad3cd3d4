// @style p-limit's own source style: linked-list queue, AsyncResource.bind(run), await Promise.resolve() before the check, activeCount getters
// @expect users: pool tasks=10 conc=2 ok=9 error=1 peak=2
import {AsyncResource, AsyncLocalStorage} from 'node:async_hooks';
import gt from '../gt.cjs';

class Queue {
	#head; #tail; #size = 0;
	enqueue(value) {
		const node = {value, next: undefined};
		if (this.#head) {
			this.#tail.next = node;
			this.#tail = node;
		} else {
			this.#head = node;
			this.#tail = node;
		}

		this.#size++;
	}

	dequeue() {
		const current = this.#head;
		if (!current) {
			return;
		}

		this.#head = current.next;
		this.#size--;
		return current.value;
	}

	get size() {
		return this.#size;
	}
}

function pLimit(concurrency) {
	const queue = new Queue();
	let activeCount = 0;

	const next = () => {
		activeCount--;
		if (queue.size > 0) {
			queue.dequeue()();
		}
	};

	const run = async (function_, resolve, arguments_) => {
		activeCount++;
		const result = (async () => function_(...arguments_))();
		resolve(result);
		try {
			await result;
		} catch {}

		next();
	};

	const enqueue = (function_, resolve, arguments_) => {
		queue.enqueue(AsyncResource.bind(run.bind(undefined, function_, resolve, arguments_)));

		(async () => {
			await Promise.resolve();
			if (activeCount < concurrency && queue.size > 0) {
				queue.dequeue()();
			}
		})();
	};

	const generator = (function_, ...arguments_) => new Promise(resolve => {
		enqueue(function_, resolve, arguments_);
	});

	Object.defineProperties(generator, {
		activeCount: {get: () => activeCount},
		pendingCount: {get: () => queue.size},
	});

	return generator;
}

const g = gt.group({name: 'users', kind: 'pool', concurrency: 2, declared: 10});
const requestId = new AsyncLocalStorage();

const fetchUser = async id => { // @task users
	const t = g.start(id);
	await new Promise(resolve => {
		setTimeout(resolve, gt.ms(id, 10, 40));
	});
	if (requestId.getStore() !== 'req-' + id) {
		throw t.fail(new Error('context lost'));
	}

	if (id === 6) {
		throw t.fail(new Error('no such user'));
	}

	return t.ok({id});
};

const limit = pLimit(2);
await Promise.all(gt.range(10).map(id => requestId.run('req-' + id, () => limit(fetchUser, id).catch(() => null)))); // @group users
g.end();
