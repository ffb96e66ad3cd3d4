// @style fetch lanes over a shared generator, AbortSignal.any([shutdown, AbortSignal.timeout(350)]) per request; one request times out, the error keeps its cause
// @minNode 22
// @expect downloads: pool tasks=10 conc=3 ok=9 error=1 peak=3 lanes=3
import { createServer } from 'node:http';
import { once } from 'node:events';
import gt from '../gt.cjs';

const server = createServer((req, res) => {
  const n = parseInt(req.url.slice('/file/'.length), 10);
  setTimeout(() => res.writeHead(200, { 'content-type': 'text/plain' }).end('#'.repeat(n)), n === 4 ? 800 : gt.ms(n));
}).listen(0, '127.0.0.1');
await once(server, 'listening');

const g = gt.group({ name: 'downloads', kind: 'pool', concurrency: 3, declared: 10 });
const shutdown = new AbortController();

function* urls() {
  for (let n = 0; n < 10; n++) yield new URL(`/file/${n}`, `http://127.0.0.1:${server.address().port}`);
}

async function download(url, lane) { // @task downloads
  const t = g.start(url.pathname, { worker: lane });
  const signal = AbortSignal.any([shutdown.signal, AbortSignal.timeout(350)]);
  try {
    const response = await fetch(url, { signal });
    const text = await response.text();
    return t.ok(text.length);
  } catch (cause) {
    throw t.fail(new Error(`download of ${url.pathname} failed`, { cause }));
  }
}

const pending = urls();
const problems = [];
const downloader = async (lane) => { // @worker downloads
  for (const url of pending) {
    try { await download(url, lane); } catch (e) { problems.push(e.cause.name); }
  }
};
await Promise.allSettled([downloader(0), downloader(1), downloader(2)]); // @group downloads
g.end();
server.closeAllConnections();
server.close();
if (problems.join() !== 'TimeoutError') process.exitCode = 2;
