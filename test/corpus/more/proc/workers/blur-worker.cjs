'use strict';
// worker side of 08-worker-docs-pool-transfer
const { parentPort, threadId, workerData } = require('node:worker_threads');
const now = () => performance.timeOrigin + performance.now();
parentPort.on('message', ({ id, ms, pixels }) => {
  const start = now();
  const a = new Uint8Array(pixels);
  do for (let i = 1; i < a.length; i++) a[i] = (a[i - 1] + a[i]) >> 1; while (now() - start < ms);
  parentPort.postMessage({ id, pixels, start, end: now(), tid: threadId, index: workerData.index }, [pixels]);
});
