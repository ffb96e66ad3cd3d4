// @style pool of real connection objects: use(fn) = acquire, try fn(conn), finally release hands the object to the next in line
// @expect reports: pool tasks=11 conc=3 ok=10 error=1 peak=3 lanes=3
import gt from '../gt.cjs';

const g = gt.group({ name: 'reports', kind: 'pool', concurrency: 3, declared: 11 });

class Connection {
  constructor(no) { this.no = no; this.served = 0; }
  select(report) { // @task reports
    const t = g.start(report, { worker: this.no });
    this.served++;
    return new Promise((resolve, reject) => {
      setTimeout(() => {
        if (report === 6) reject(t.fail(new Error('테이블이 없습니다')));
        else resolve(t.ok({ report, rows: report * 3 }));
      }, gt.ms(report));
    });
  }
}

class ConnectionPool {
  constructor(size) {
    this.idle = Array.from({ length: size }, (_, no) => new Connection(no));
    this.line = [];
  }
  acquire() {
    const conn = this.idle.shift();
    return conn ? Promise.resolve(conn) : new Promise((turn) => { this.line.push(turn); });
  }
  release(conn) {
    const turn = this.line.shift();
    if (turn) turn(conn); // 다음 사람에게 바로 넘긴다
    else this.idle.push(conn);
  }
  async use(fn) {
    const conn = await this.acquire();
    try {
      return await fn(conn);
    } finally {
      this.release(conn);
    }
  }
}

const pool = new ConnectionPool(3);
const reports = gt.range(11);
const rows = await Promise.all(reports.map((r) => pool.use((conn) => conn.select(r)).catch(() => null))); // @group reports
g.end(rows.filter(Boolean).length === 10 ? 'ok' : 'error');
