// @style node callbacks alone: a class whose run() fills three slots, its jobs stat, read, gzip and write a file
// @expect files: pool tasks=12 conc=3 ok=12 error=0 peak=3
const fs = require('fs');
const os = require('os');
const path = require('path');
const zlib = require('zlib');
const gt = require('../gt.cjs');
const g = gt.group({ name: 'files', kind: 'pool', concurrency: 3, declared: 12 });
const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'callback-files-'));
process.on('exit', () => fs.rmSync(dir, { recursive: true }));
const text = gt.range(20000).map((n) => `${n * 7919}`).join(' ');
const names = gt.range(12).map((n) => path.join(dir, `${n}.txt`));
names.forEach((name, n) => fs.writeFileSync(name, text.repeat(2 + (n % 3))));

class Packer {
  constructor(limit) { this.limit = limit; this.active = 0; this.waiting = []; }
  add(name) { this.waiting.push(name); }
  run() {
    while (this.active < this.limit && this.waiting.length > 0) {
      this.active++;
      this.pack(this.waiting.shift(), (error) => { // @group files
        if (error) throw error;
        this.active--;
        if (this.waiting.length > 0) this.run(); else if (this.active === 0) g.end();
      });
    }
  }
  pack(name, done) { // @task files
    const t = g.start(path.basename(name));
    fs.stat(name, (error, { size }) => {
      if (size === 0) return done();
      fs.readFile(name, (error, data) => {
        zlib.gzip(data, (error, packed) => {
          fs.writeFile(`${name}.gz`, packed, (error) => { t.ok(); done(error); });
        });
      });
    });
  }
}
const packer = new Packer(3);
for (const name of names) packer.add(name);
packer.run(); // @group files
