// child of ../03-fork-batches.mts: answers every Map it is sent; its own clock in epoch ms
type Ask = Map<'id' | 'ms', number>;

const now = (): number => performance.timeOrigin + performance.now();

process.on('message', (ask: Ask) => {
  const start = now();
  setTimeout(() => {
    if (ask.get('id') === 5) process.send!({ id: 5, start, end: now(), error: new RangeError('5 is not an image') });
    else process.send!({ id: ask.get('id'), start, end: now() });
  }, ask.get('ms'));
});
process.send!({ id: -1 });
