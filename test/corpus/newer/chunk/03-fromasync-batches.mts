// @style TypeScript (.mts, stripped by node): an async generator does Promise.all per batch and yields its results, Array.fromAsync collects them
// @minNode 22
// @expect invoices: chunk tasks=10 conc=3 chunks=4 ok=10 error=0 peak=3
import gt from '../gt.cjs';

type Mapper<In, Out> = (item: In) => Promise<Out>;
interface Invoice { readonly no: number; total: number }

const g = gt.group({ name: 'invoices', kind: 'chunk', combinator: 'all', concurrency: 3, size: 3, declared: 10 });

const after = (ms: number): Promise<void> => {
	const { promise, resolve } = Promise.withResolvers<void>();
	setTimeout(resolve, ms);
	return promise;
};

async function* inBatches<In, Out>(source: Iterable<In>, size: number, fn: Mapper<In, Out>): AsyncGenerator<Out, void, undefined> {
	const it = Iterator.from(source);
	while (true) {
		const batch: In[] = [];
		for (let step = it.next(); !step.done; step = it.next()) {
			if (batch.push(step.value) >= size) break;
		}
		if (batch.length === 0) return;
		yield* await Promise.all(batch.map((item) => fn(item))); // @group invoices
	}
}

const total: Mapper<number, Invoice> = async (no) => { // @task invoices
	const t = g.start(no);
	await after(gt.ms(no) as number);
	return t.ok({ no, total: no * 100 } satisfies Invoice) as Invoice;
};

const invoices: Invoice[] = await Array.fromAsync(inBatches(new Set<number>(gt.range(10)), 3, total));
g.end();
if (invoices.length !== 10) process.exitCode = 2;
