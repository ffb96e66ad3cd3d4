// @style OCR engine pool: engines are made lazily up to a maximum, then lease() polls an idle list with setInterval; every image leases, works, releases in finally
// @expect scans: pool tasks=10 conc=3 ok=9 error=1 peak=3 lanes=3
import gt from '../gt.cjs';
const g = gt.group({ name: 'scans', kind: 'pool', concurrency: 3, declared: 10 });
const after = (ms, value) => new Promise((r) => setTimeout(r, ms, value));

class EnginePool {
  constructor(max) { this.max = max; this.made = 0; this.idle = []; this.dead = false; }
  async lease() {
    if (this.idle.length > 0) return this.idle.pop();
    if (this.made < this.max) {
      const number = this.made++;
      return after(12, { number, read: (image) => scan(image, number) });
    }
    return new Promise((resolve, reject) => {
      const check = setInterval(() => {
        if (this.dead) { clearInterval(check); reject(new Error('pool is gone')); return; }
        if (this.idle.length > 0) {
          clearInterval(check);
          resolve(this.idle.pop());
        }
      }, 6);
    });
  }
  release(engine) { if (!this.dead) this.idle.push(engine); }
  destroy() { this.dead = true; this.idle.length = 0; }
}

async function scan(image, number) { // @task scans
  const t = g.start(image, { worker: number });
  await after(gt.ms(image, 25, 60));
  if (image === 6) throw t.fail(new Error('blurred'));
  return t.ok('text of ' + image);
}

const engines = new EnginePool(3);
const texts = await Promise.all(gt.range(10).map(async (image) => { // @group scans
  const engine = await engines.lease();
  try {
    return await engine.read(image);
  } catch {
    return '';
  } finally {
    engines.release(engine);
  }
}));
engines.destroy();
g.end();
void texts;
