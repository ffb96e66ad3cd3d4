// @style a CSV file read line by line (readline, for await), rows collected into a buffer, insertMany(buffer) when it is full
// @expect rows: chunk tasks=12 conc=5 chunks=3 ok=12 error=0 peak=5
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import readline from 'node:readline';
import gt from '../gt.cjs';
const g = gt.group({ name: 'rows', kind: 'chunk', combinator: 'all', concurrency: 5, size: 5, declared: 12 });
const file = path.join(os.tmpdir(), `import-${process.pid}.csv`);
fs.writeFileSync(file, 'id;name\n' + gt.range(12).map((i) => `${i};customer ${i}`).join('\n') + '\n');

const db = { query: (sql, values, ms) => new Promise((resolve) => setTimeout(resolve, ms, { rowCount: values.length })) };
async function insertRow(row) { // @task rows
  const t = g.start(Number(row.id));
  await db.query('insert into customers values ($1, $2)', [row.id, row.name], gt.ms(row.id));
  t.ok();
}
async function insertMany(rows) {
  await Promise.all(rows.map((row) => insertRow(row))); // @group rows
}
const lines = readline.createInterface({ input: fs.createReadStream(file), crlfDelay: Infinity });
let buffer = [];
let header = null;
for await (const line of lines) {
  if (!header) { header = line.split(';'); continue; }
  const cells = line.split(';');
  buffer.push(Object.fromEntries(header.map((h, i) => [h, cells[i]])));
  if (buffer.length >= 5) {
    await insertMany(buffer);
    buffer = [];
  }
}
if (buffer.length) await insertMany(buffer);
g.end();
fs.unlinkSync(file);
