// pools.js as @babel/core 7.29.13 with preset-env for ES5 writes it.
function _typeof(o) { "@babel/helpers - typeof"; return _typeof = "function" == typeof Symbol && "symbol" == typeof Symbol.iterator ? function (o) { return typeof o; } : function (o) { return o && "function" == typeof Symbol && o.constructor === Symbol && o !== Symbol.prototype ? "symbol" : typeof o; }, _typeof(o); }
function _regenerator() { /*! regenerator-runtime -- Copyright (c) 2014-present, Facebook, Inc. -- license (MIT): https://github.com/babel/babel/blob/main/packages/babel-helpers/LICENSE */ var e, t, r = "function" == typeof Symbol ? Symbol : {}, n = r.iterator || "@@iterator", o = r.toStringTag || "@@toStringTag"; function i(r, n, o, i) { var c = n && n.prototype instanceof Generator ? n : Generator, u = Object.create(c.prototype); return _regeneratorDefine2(u, "_invoke", function (r, n, o) { var i, c, u, f = 0, p = o || [], y = !1, G = { p: 0, n: 0, v: e, a: d, f: d.bind(e, 4), d: function d(t, r) { return i = t, c = 0, u = e, G.n = r, a; } }; function d(r, n) { for (c = r, u = n, t = 0; !y && f && !o && t < p.length; t++) { var o, i = p[t], d = G.p, l = i[2]; r > 3 ? (o = l === n) && (u = i[(c = i[4]) ? 5 : (c = 3, 3)], i[4] = i[5] = e) : i[0] <= d && ((o = r < 2 && d < i[1]) ? (c = 0, G.v = n, G.n = i[1]) : d < l && (o = r < 3 || i[0] > n || n > l) && (i[4] = r, i[5] = n, G.n = l, c = 0)); } if (o || r > 1) return a; throw y = !0, n; } return function (o, p, l) { if (f > 1) throw TypeError("Generator is already running"); for (y && 1 === p && d(p, l), c = p, u = l; (t = c < 2 ? e : u) || !y;) { i || (c ? (c > 1 && (G.n = c < 3 ? -1 : u), d(c, u)) : G.v = u); try { if (f = 2, i) { if (c || (o = "next"), t = i[o]) { if (!(t = t.call(i, u))) throw TypeError("iterator result is not an object"); if (!t.done) return t; u = t.value, c < 2 && (c = 0); } else 1 === c && (t = i.return) && t.call(i), c < 2 && (u = TypeError("The iterator does not provide a '" + o + "' method"), c = 1); i = e; } else if ((t = (y = G.n < 0) ? u : r.call(n, G)) !== a) break; } catch (t) { i = e, c = 1, u = t; } finally { f = 1; } } return { value: t, done: y }; }; }(r, o, i), !0), u; } var a = {}; function Generator() {} function GeneratorFunction() {} function GeneratorFunctionPrototype() {} t = Object.getPrototypeOf; var c = [][n] ? t(t([][n]())) : (_regeneratorDefine2(t = {}, n, function () { return this; }), t), u = GeneratorFunctionPrototype.prototype = Generator.prototype = Object.create(c); function f(e) { return Object.setPrototypeOf ? Object.setPrototypeOf(e, GeneratorFunctionPrototype) : (e.__proto__ = GeneratorFunctionPrototype, _regeneratorDefine2(e, o, "GeneratorFunction")), e.prototype = Object.create(u), e; } return GeneratorFunction.prototype = GeneratorFunctionPrototype, _regeneratorDefine2(u, "constructor", GeneratorFunctionPrototype), _regeneratorDefine2(GeneratorFunctionPrototype, "constructor", GeneratorFunction), GeneratorFunction.displayName = "GeneratorFunction", _regeneratorDefine2(GeneratorFunctionPrototype, o, "GeneratorFunction"), _regeneratorDefine2(u), _regeneratorDefine2(u, o, "Generator"), _regeneratorDefine2(u, n, function () { return this; }), _regeneratorDefine2(u, "toString", function () { return "[object Generator]"; }), (_regenerator = function _regenerator() { return { w: i, m: f }; })(); }
function _regeneratorDefine2(e, r, n, t) { var i = Object.defineProperty; try { i({}, "", {}); } catch (e) { i = 0; } _regeneratorDefine2 = function _regeneratorDefine(e, r, n, t) { function o(r, n) { _regeneratorDefine2(e, r, function (e) { return this._invoke(r, n, e); }); } r ? i ? i(e, r, { value: n, enumerable: !t, configurable: !t, writable: !t }) : e[r] = n : (o("next", 0), o("throw", 1), o("return", 2)); }, _regeneratorDefine2(e, r, n, t); }
function _classCallCheck(a, n) { if (!(a instanceof n)) throw new TypeError("Cannot call a class as a function"); }
function _defineProperties(e, r) { for (var t = 0; t < r.length; t++) { var o = r[t]; o.enumerable = o.enumerable || !1, o.configurable = !0, "value" in o && (o.writable = !0), Object.defineProperty(e, _toPropertyKey(o.key), o); } }
function _createClass(e, r, t) { return r && _defineProperties(e.prototype, r), t && _defineProperties(e, t), Object.defineProperty(e, "prototype", { writable: !1 }), e; }
function _toPropertyKey(t) { var i = _toPrimitive(t, "string"); return "symbol" == _typeof(i) ? i : i + ""; }
function _toPrimitive(t, e) { if ("object" != _typeof(t) || !t) return t; var r; if ("undefined" != typeof Symbol && void 0 !== (r = t[Symbol.toPrimitive])) { var i = r.call(t, e || "default"); if ("object" != _typeof(i)) return i; throw new TypeError("@@toPrimitive must return a primitive value."); } return ("string" === e ? String : Number)(t); }
function asyncGeneratorStep(n, t, e, r, o, a, c) { try { var i = n[a](c), u = i.value; } catch (n) { return void e(n); } i.done ? t(u) : Promise.resolve(u).then(r, o); }
function _asyncToGenerator(n) { return function () { var t = this, e = arguments; return new Promise(function (r, o) { var a = n.apply(t, e); function _next(n) { asyncGeneratorStep(a, r, o, _next, _throw, "next", n); } function _throw(n) { asyncGeneratorStep(a, r, o, _next, _throw, "throw", n); } _next(void 0); }); }; }
var sleep = function sleep(ms) {
  return new Promise(function (resolve) {
    return setTimeout(resolve, ms);
  });
};
function load(_x) {
  return _load.apply(this, arguments);
}
function _load() {
  _load = _asyncToGenerator(/*#__PURE__*/_regenerator().m(function _callee4(id) {
    return _regenerator().w(function (_context4) {
      while (1) switch (_context4.n) {
        case 0:
          _context4.n = 1;
          return sleep(20 + 5 * id);
        case 1:
          if (!(id === 4)) {
            _context4.n = 2;
            break;
          }
          throw new Error('no such id');
        case 2:
          return _context4.a(2, id);
      }
    }, _callee4);
  }));
  return _load.apply(this, arguments);
}
function inChunks(_x2, _x3) {
  return _inChunks.apply(this, arguments);
}
function _inChunks() {
  _inChunks = _asyncToGenerator(/*#__PURE__*/_regenerator().m(function _callee5(ids, size) {
    var i;
    return _regenerator().w(function (_context5) {
      while (1) switch (_context5.n) {
        case 0:
          i = 0;
        case 1:
          if (!(i < ids.length)) {
            _context5.n = 3;
            break;
          }
          _context5.n = 2;
          return Promise.allSettled(ids.slice(i, i + size).map(function (id) {
            return load(id);
          }));
        case 2:
          i += size;
          _context5.n = 1;
          break;
        case 3:
          return _context5.a(2);
      }
    }, _callee5);
  }));
  return _inChunks.apply(this, arguments);
}
var Store = /*#__PURE__*/function () {
  "use strict";

  function Store() {
    _classCallCheck(this, Store);
  }
  return _createClass(Store, [{
    key: "save",
    value: function () {
      var _save = _asyncToGenerator(/*#__PURE__*/_regenerator().m(function _callee(id) {
        return _regenerator().w(function (_context) {
          while (1) switch (_context.n) {
            case 0:
              _context.n = 1;
              return null;
            case 1:
              _context.n = 2;
              return sleep(15 + 4 * id);
            case 2:
              return _context.a(2, sleep(5));
          }
        }, _callee);
      }));
      function save(_x4) {
        return _save.apply(this, arguments);
      }
      return save;
    }()
  }]);
}();
function worker(_x5, _x6) {
  return _worker.apply(this, arguments);
}
function _worker() {
  _worker = _asyncToGenerator(/*#__PURE__*/_regenerator().m(function _callee6(store, queue) {
    return _regenerator().w(function (_context6) {
      while (1) switch (_context6.n) {
        case 0:
          if (!(queue.length > 0)) {
            _context6.n = 2;
            break;
          }
          _context6.n = 1;
          return store.save(queue.shift());
        case 1:
          _context6.n = 0;
          break;
        case 2:
          return _context6.a(2);
      }
    }, _callee6);
  }));
  return _worker.apply(this, arguments);
}
var Semaphore = /*#__PURE__*/function () {
  "use strict";

  function Semaphore(free) {
    _classCallCheck(this, Semaphore);
    this.free = free;
    this.waiting = [];
  }
  return _createClass(Semaphore, [{
    key: "acquire",
    value: function () {
      var _acquire = _asyncToGenerator(/*#__PURE__*/_regenerator().m(function _callee2() {
        var _this = this;
        return _regenerator().w(function (_context2) {
          while (1) switch (_context2.n) {
            case 0:
              if (!(this.free > 0)) {
                _context2.n = 1;
                break;
              }
              this.free--;
              return _context2.a(2);
            case 1:
              _context2.n = 2;
              return new Promise(function (resolve) {
                return _this.waiting.push(resolve);
              });
            case 2:
              return _context2.a(2);
          }
        }, _callee2, this);
      }));
      function acquire() {
        return _acquire.apply(this, arguments);
      }
      return acquire;
    }()
  }, {
    key: "release",
    value: function release() {
      var next = this.waiting.shift();
      if (next) next();else this.free++;
    }
  }]);
}();
var semaphore = new Semaphore(2);
var query = /*#__PURE__*/function () {
  var _ref = _asyncToGenerator(/*#__PURE__*/_regenerator().m(function _callee3(id) {
    return _regenerator().w(function (_context3) {
      while (1) switch (_context3.p = _context3.n) {
        case 0:
          _context3.n = 1;
          return semaphore.acquire();
        case 1:
          _context3.p = 1;
          _context3.n = 2;
          return sleep(20 + 3 * id);
        case 2:
          _context3.p = 2;
          semaphore.release();
          return _context3.f(2);
        case 3:
          return _context3.a(2);
      }
    }, _callee3, null, [[1,, 2, 3]]);
  }));
  return function query(_x7) {
    return _ref.apply(this, arguments);
  };
}();
function check(_x8) {
  return _check.apply(this, arguments);
}
function _check() {
  _check = _asyncToGenerator(/*#__PURE__*/_regenerator().m(function _callee7(id) {
    var found;
    return _regenerator().w(function (_context7) {
      while (1) switch (_context7.n) {
        case 0:
          _context7.n = 1;
          return sleep(10 + id);
        case 1:
          found = _context7.v;
          return _context7.a(2, found);
      }
    }, _callee7);
  }));
  return _check.apply(this, arguments);
}
function main() {
  return _main.apply(this, arguments);
}
function _main() {
  _main = _asyncToGenerator(/*#__PURE__*/_regenerator().m(function _callee8() {
    var store, queue, _i, _arr, id;
    return _regenerator().w(function (_context8) {
      while (1) switch (_context8.n) {
        case 0:
          _context8.n = 1;
          return inChunks([1, 2, 3, 4, 5, 6, 7], 3);
        case 1:
          store = new Store();
          queue = [1, 2, 3, 4, 5, 6, 7, 8];
          _context8.n = 2;
          return Promise.all([worker(store, queue), worker(store, queue), worker(store, queue)]);
        case 2:
          _context8.n = 3;
          return Promise.all([1, 2, 3, 4, 5, 6].map(query));
        case 3:
          _i = 0, _arr = [1, 2, 3, 4];
        case 4:
          if (!(_i < _arr.length)) {
            _context8.n = 6;
            break;
          }
          id = _arr[_i];
          _context8.n = 5;
          return check(id);
        case 5:
          _i++;
          _context8.n = 4;
          break;
        case 6:
          return _context8.a(2);
      }
    }, _callee8);
  }));
  return _main.apply(this, arguments);
}
main();
