// @style producer/consumer: 3 downloaders feed a channel, 2 parsers take from it with for await; two pools at the same time
// @expect download: pool tasks=9 conc=3 ok=9 error=0 peak=3 lanes=3
// @expect parse: pool tasks=9 conc=2 ok=9 error=0 peak=2 lanes=2
const gt = require('../gt.cjs');
const sleep = (ms) => new Promise((r) => setTimeout(r, ms));

class Channel {
  constructor() { this.items = []; this.takers = []; this.closed = false; }
  send(value) {
    const taker = this.takers.shift();
    if (taker) taker({ value, done: false }); else this.items.push(value);
  }
  close() {
    this.closed = true;
    for (const taker of this.takers.splice(0)) taker({ value: undefined, done: true });
  }
  next() {
    if (this.items.length) return Promise.resolve({ value: this.items.shift(), done: false });
    if (this.closed) return Promise.resolve({ value: undefined, done: true });
    return new Promise((taker) => this.takers.push(taker));
  }
  [Symbol.asyncIterator]() { return this; }
}

const download = gt.group({ name: 'download', kind: 'pool', concurrency: 3, declared: 9 });
const parse = gt.group({ name: 'parse', kind: 'pool', concurrency: 2, declared: 9 });

async function fetchFeed(n, worker) { // @task download
  const t = download.start(n, { worker });
  await sleep(gt.ms(n));
  return t.ok({ n, xml: `<rss><title>feed ${n}</title></rss>` });
}
async function parseFeed({ n, xml }, worker) { // @task parse
  const t = parse.start(n, { worker });
  await sleep(gt.ms(n + 40, 30, 60));
  return t.ok(/<title>(.*?)<\/title>/.exec(xml)[1]);
}

async function main() {
  const feeds = gt.range(9), titles = [];
  const channel = new Channel();

  const downloader = async (w) => { while (feeds.length) channel.send(await fetchFeed(feeds.shift(), w)); }; // @worker download
  const parser = async (w) => { for await (const feed of channel) titles.push(await parseFeed(feed, w)); }; // @worker parse

  const downloading = Promise.all([0, 1, 2].map(downloader)); // @group download
  const parsing = Promise.all([0, 1].map(parser)); // @group parse

  await downloading;
  download.end();
  channel.close();
  await parsing;
  parse.end();
  if (titles.length !== 9) process.exitCode = 3;
}
main();
