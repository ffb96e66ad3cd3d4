// @style crawler class, http.get callbacks, 429 + Retry-After, growing frontier with a limit of 3; then assets settled in slices of 4
'use strict';
const http = require('http');
const gt = require('../gt.cjs');

// ---- the site -----------------------------------------------------------------------------------
const LINKS = { '/': ['/a', '/b', '/c'], '/a': ['/a/1', '/a/2', '/'], '/b': ['/b/1', '/a/2'], '/c': ['/c/1', '/c/2', '/dead'], '/c/2': ['/last'] };
const busyOnce = { '/a/1': true, '/c': true };
const site = http.createServer((req, res) => {
  if (busyOnce[req.url]) {
    delete busyOnce[req.url];
    res.writeHead(429, { 'Retry-After': '0.03' });
    return res.end();
  }
  if (req.url === '/dead') { res.writeHead(500); return setTimeout(() => res.end(), 20); }
  setTimeout(() => res.end(JSON.stringify({ links: LINKS[req.url] || [], img: req.url.replace(/\W/g, '_') + '.png' })), gt.ms(req.url.length, 25, 60));
});

function get(url, cb) {
  http.get(url, { agent: false }, (res) => {
    let text = '';
    res.setEncoding('utf8');
    res.on('data', (piece) => { text += piece; });
    res.on('end', () => cb(null, res, text));
  }).on('error', cb);
}

// ---- the crawler -----------------------------------------------------------------------------------
const pages = gt.group({ name: 'pages', kind: 'pool', concurrency: 3, declared: 11 });

class Crawler {
  constructor(origin, { limit = 2, retries = 2 } = {}) {
    this.origin = origin;
    this.limit = limit;
    this.retries = retries;
    this.seen = new Set();
    this.frontier = [];
    this.running = 0;
    this.images = [];
    this.errors = [];
  }

  visit(path, done) { // @task pages
    const t = pages.start(path);
    const attempt = (left) => get(this.origin + path, (err, res, text) => {
      if (!err && res.statusCode === 429 && left > 0) {
        return setTimeout(attempt, 1000 * Number(res.headers['retry-after']), left - 1);
      }
      if (err || res.statusCode !== 200) return done(t.fail(err || new Error(path + ' answered ' + res.statusCode)));
      const doc = JSON.parse(text);
      t.ok();
      done(null, doc);
    });
    attempt(this.retries);
  }

  enqueue(path) {
    if (this.seen.has(path)) return;
    this.seen.add(path);
    this.frontier.push(path);
  }

  crawl(start, finished) {
    const schedule = () => {
      if (!this.frontier.length && !this.running) return finished(this);
      while (this.frontier.length && this.running < this.limit) {
        this.running += 1;
        this.visit(this.frontier.shift(), (err, doc) => { // @group pages
          this.running -= 1;
          if (err) this.errors.push(err);
          else { this.images.push(doc.img); doc.links.forEach((link) => this.enqueue(link)); }
          schedule();
        });
      }
    };
    this.enqueue(start);
    schedule();
  }
}

// ---- phase 2: one picture per page, four at once ---------------------------------------------------------
function fetchImage(group, origin, name) { // @task images
  const t = group.start(name);
  return new Promise((resolve, reject) => get(`${origin}/img/${name}`, (err, res, text) => {
    if (err) return reject(t.fail(err));
    resolve(t.ok(text.length));
  }));
}

async function fetchImages(origin, names) {
  const images = gt.group({ name: 'images', kind: 'chunk', combinator: 'allSettled', concurrency: 4, size: 4, declared: names.length });
  const sizes = [];
  while (sizes.length < names.length) {
    const slice = names.slice(sizes.length, sizes.length + 4);
    sizes.push(...await Promise.allSettled(slice.map((name) => fetchImage(images, origin, name)))); // @group images
  }
  images.end();
}

site.listen(0, '127.0.0.1', () => {
  const origin = 'http://127.0.0.1:' + site.address().port;
  new Crawler(origin, { limit: 3 }).crawl('/', (crawler) => { // @group pages
    pages.end();
    fetchImages(origin, crawler.images.sort()).then(() => site.close());
  });
});
