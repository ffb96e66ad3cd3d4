// Runs in a worker thread: checksums of the files of a release, three at a time.
import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import gt from '../../gt.cjs';

const facts = [];
const sums = {};

async function checksum(file, id, chunk) { // @task checksums
  const fact = { id, chunk, start: gt.abs() };
  const hash = createHash('md5');
  const handle = await open(file);
  const { buffer, bytesRead } = await handle.read({ position: 0 });
  hash.update(buffer.subarray(0, bytesRead));
  await handle.close();
  await sleep(gt.ms(id)); // a slow disk
  sums[id] = hash.digest('hex');
  fact.end = gt.abs();
  facts.push(fact);
}

const { files, batch } = workerData;
for (let c = 0; c * batch < files.length; c++) {
  const part = files.slice(c * batch, c * batch + batch);
  await Promise.all(part.map((file, k) => checksum(file, c * batch + k, c))); // @group checksums
}
parentPort.postMessage({ facts, sums });
