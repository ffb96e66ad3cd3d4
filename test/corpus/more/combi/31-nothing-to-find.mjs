// @style an ordinary program with nothing to find: config file, one request to a local server, gzip pipeline, events, timers
import { createServer } from 'node:http';
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { EventEmitter, once } from 'node:events';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { setTimeout as sleep } from 'node:timers/promises';
import os from 'node:os';
import path from 'node:path';
import '../gt.cjs';

const dir = mkdtempSync(path.join(os.tmpdir(), 'corpus-nothing-'));
const configFile = path.join(dir, 'config.json');
await writeFile(configFile, JSON.stringify({ retain: 3, path: '/status' }));

async function readConfig(file) {
  return JSON.parse(await readFile(file, 'utf8'));
}
const config = await readConfig(configFile);

const server = createServer((req, res) => { setTimeout(() => res.end(JSON.stringify({ url: req.url, up: true })), 40); });
server.listen(0, '127.0.0.1');
await once(server, 'listening');

async function getStatus(port) {
  const res = await fetch(`http://127.0.0.1:${port}${config.path}`, { headers: { connection: 'close' } });
  return res.json();
}
const status = await getStatus(server.address().port);

const bus = new EventEmitter();
const seen = [];
bus.on('status', (s) => seen.push(s.up));
let beats = 0;
const heartbeat = setInterval(() => { beats++; }, 10);
bus.emit('status', status);

const archive = path.join(dir, 'status.gz');
await pipeline(Readable.from([JSON.stringify(status), '\n']), createGzip(), createWriteStream(archive));
await sleep(60);

clearInterval(heartbeat);
server.close();
rmSync(dir, { recursive: true, force: true });
if (!seen[0] || beats === 0) process.exitCode = 3;
