// pools.js as @babel/core 7.29.13 with preset-env for Node 6 writes it.
function asyncGeneratorStep(n, t, e, r, o, a, c) { try { var i = n[a](c), u = i.value; } catch (n) { return void e(n); } i.done ? t(u) : Promise.resolve(u).then(r, o); }
function _asyncToGenerator(n) { return function () { var t = this, e = arguments; return new Promise(function (r, o) { var a = n.apply(t, e); function _next(n) { asyncGeneratorStep(a, r, o, _next, _throw, "next", n); } function _throw(n) { asyncGeneratorStep(a, r, o, _next, _throw, "throw", n); } _next(void 0); }); }; }
const sleep = ms => new Promise(resolve => setTimeout(resolve, ms));
function load(_x) {
  return _load.apply(this, arguments);
}
function _load() {
  _load = _asyncToGenerator(function* (id) {
    yield sleep(20 + 5 * id);
    if (id === 4) throw new Error('no such id');
    return id;
  });
  return _load.apply(this, arguments);
}
function inChunks(_x2, _x3) {
  return _inChunks.apply(this, arguments);
}
function _inChunks() {
  _inChunks = _asyncToGenerator(function* (ids, size) {
    for (let i = 0; i < ids.length; i += size) yield Promise.allSettled(ids.slice(i, i + size).map(id => load(id)));
  });
  return _inChunks.apply(this, arguments);
}
class Store {
  save(id) {
    return _asyncToGenerator(function* () {
      yield null;
      yield sleep(15 + 4 * id);
      return sleep(5);
    })();
  }
}
function worker(_x4, _x5) {
  return _worker.apply(this, arguments);
}
function _worker() {
  _worker = _asyncToGenerator(function* (store, queue) {
    while (queue.length > 0) yield store.save(queue.shift());
  });
  return _worker.apply(this, arguments);
}
class Semaphore {
  constructor(free) {
    this.free = free;
    this.waiting = [];
  }
  acquire() {
    var _this = this;
    return _asyncToGenerator(function* () {
      if (_this.free > 0) {
        _this.free--;
        return;
      }
      yield new Promise(resolve => _this.waiting.push(resolve));
    })();
  }
  release() {
    const next = this.waiting.shift();
    if (next) next();else this.free++;
  }
}
const semaphore = new Semaphore(2);
const query = /*#__PURE__*/function () {
  var _ref = _asyncToGenerator(function* (id) {
    yield semaphore.acquire();
    try {
      yield sleep(20 + 3 * id);
    } finally {
      semaphore.release();
    }
  });
  return function query(_x6) {
    return _ref.apply(this, arguments);
  };
}();
function check(_x7) {
  return _check.apply(this, arguments);
}
function _check() {
  _check = _asyncToGenerator(function* (id) {
    const found = yield sleep(10 + id);
    return found;
  });
  return _check.apply(this, arguments);
}
function main() {
  return _main.apply(this, arguments);
}
function _main() {
  _main = _asyncToGenerator(function* () {
    yield inChunks([1, 2, 3, 4, 5, 6, 7], 3);
    const store = new Store();
    const queue = [1, 2, 3, 4, 5, 6, 7, 8];
    yield Promise.all([worker(store, queue), worker(store, queue), worker(store, queue)]);
    yield Promise.all([1, 2, 3, 4, 5, 6].map(query));
    for (var _i = 0, _arr = [1, 2, 3, 4]; _i < _arr.length; _i++) {
      const id = _arr[_i];
      yield check(id);
    }
  });
  return _main.apply(this, arguments);
}
main();
