/** See scan.mjs. Inspects a folder as the extension does, and says how long that took and how long this thread was held up. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Place } from '../../src/inspect/place';
import { Inspector } from '../../src/scan/inspector';

const [, , worker, folder] = process.argv;
const inspector = new Inspector(worker);
// Started and warm, as the thread of a window is that has shown a CodeLens before.
await inspector.inspect('warm.js', 'await Promise.all([f(), g()]);');
const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
const began = performance.now();
const found: { file: string; places: readonly Place[] }[] = [];
const counts = await inspector.scan([folder], undefined, new AbortController().signal, (files) => { found.push(...files); });
const ms = performance.now() - began;
delay.disable();
inspector.dispose();
console.log(JSON.stringify({ files: counts.files, ms, heldUpMs: delay.max / 1e6, found }));
