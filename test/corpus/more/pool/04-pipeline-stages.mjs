// @style two stages with a bounded queue between: 3 fetchers put into a channel of 2, 2 parsers take from it
// @expect fetch: pool tasks=9 conc=3 ok=9 error=0 peak=3
// @expect parse: pool tasks=9 conc=2 ok=9 error=0 peak=2
import gt from '../gt.cjs';
const sleep = (ms) => new Promise((r) => setTimeout(r, ms));
class Channel {
  items = []; takers = []; putters = []; closed = false;
  constructor(cap) { this.cap = cap; }
  async put(x) {
    if (this.takers.length) { this.takers.shift()({ value: x, done: false }); return; }
    if (this.items.length >= this.cap) await new Promise((r) => this.putters.push(r));
    this.items.push(x);
    if (this.takers.length) this.takers.shift()({ value: this.items.shift(), done: false });
  }
  async take() {
    if (this.items.length) { const value = this.items.shift(); this.putters.shift()?.(); return { value, done: false }; }
    if (this.closed) return { done: true };
    return new Promise((r) => this.takers.push(r));
  }
  close() { this.closed = true; for (const t of this.takers.splice(0)) t({ done: true }); }
}
const F = gt.group({ name: 'fetch', kind: 'pool', concurrency: 3, declared: 9 });
const P = gt.group({ name: 'parse', kind: 'pool', concurrency: 2, declared: 9 });
const channel = new Channel(2);
const urls = gt.range(9);
async function fetchPage(u) { const t = F.start(u); await sleep(gt.ms(u, 15, 40)); return t.ok(u); } // @task fetch
async function parsePage(u) { const t = P.start(u); await sleep(gt.ms(u + 40, 15, 45)); t.ok(); } // @task parse
async function fetcher() { while (urls.length) await channel.put(await fetchPage(urls.shift())); }
async function parser() { for (;;) { const { value, done } = await channel.take(); if (done) return; await parsePage(value); } }
const parsers = Promise.all([parser(), parser()]); // @group parse
await Promise.all([fetcher(), fetcher(), fetcher()]); // @group fetch
F.end();
channel.close();
await parsers;
P.end();
