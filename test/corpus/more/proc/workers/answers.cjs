'use strict';
const { parentPort, threadId } = require('worker_threads');
const now = () => performance.timeOrigin + performance.now();
parentPort.on('message', ({ i, ms }) => {
  const start = now();
  const until = performance.now() + ms;
  while (performance.now() < until);
  parentPort.postMessage({ i, start, end: now(), tid: threadId });
});
