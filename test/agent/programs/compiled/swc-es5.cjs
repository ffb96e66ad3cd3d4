// pools.js as @swc/core 1.16.22 for ES5 writes it.
function asyncGeneratorStep(gen, resolve, reject, _next, _throw, key, arg) {
    try {
        var info = gen[key](arg);
        var value = info.value;
    } catch (error) {
        reject(error);
        return;
    }
    if (info.done) resolve(value);
    else Promise.resolve(value).then(_next, _throw);
}
function _async_to_generator(fn) {
    return function() {
        var self = this, args = arguments;
        return new Promise(function(resolve, reject) {
            var gen = fn.apply(self, args);
            function _next(value) {
                asyncGeneratorStep(gen, resolve, reject, _next, _throw, "next", value);
            }
            function _throw(err) {
                asyncGeneratorStep(gen, resolve, reject, _next, _throw, "throw", err);
            }
            _next(undefined);
        });
    };
}
function _class_call_check(instance, Constructor) {
    if (!(instance instanceof Constructor)) throw new TypeError("Cannot call a class as a function");
}
function _defineProperties(target, props) {
    for(var i = 0; i < props.length; i++){
        var descriptor = props[i];
        descriptor.enumerable = descriptor.enumerable || false;
        descriptor.configurable = true;
        if ("value" in descriptor) descriptor.writable = true;
        Object.defineProperty(target, descriptor.key, descriptor);
    }
}
function _create_class(Constructor, protoProps, staticProps) {
    if (protoProps) _defineProperties(Constructor.prototype, protoProps);
    if (staticProps) _defineProperties(Constructor, staticProps);
    return Constructor;
}
function _ts_generator(thisArg, body) {
    var f, y, t, _ = {
        label: 0,
        sent: function() {
            if (t[0] & 1) throw t[1];
            return t[1];
        },
        trys: [],
        ops: []
    }, g = Object.create((typeof Iterator === "function" ? Iterator : Object).prototype), d = Object.defineProperty;
    return d(g, "next", {
        value: verb(0)
    }), d(g, "throw", {
        value: verb(1)
    }), d(g, "return", {
        value: verb(2)
    }), typeof Symbol === "function" && d(g, Symbol.iterator, {
        value: function() {
            return this;
        }
    }), g;
    function verb(n) {
        return function(v) {
            return step([
                n,
                v
            ]);
        };
    }
    function step(op) {
        if (f) throw new TypeError("Generator is already executing.");
        while(g && (g = 0, op[0] && (_ = 0)), _)try {
            if (f = 1, y && (t = op[0] & 2 ? y["return"] : op[0] ? y["throw"] || ((t = y["return"]) && t.call(y), 0) : y.next) && !(t = t.call(y, op[1])).done) return t;
            if (y = 0, t) op = [
                op[0] & 2,
                t.value
            ];
            switch(op[0]){
                case 0:
                case 1:
                    t = op;
                    break;
                case 4:
                    _.label++;
                    return {
                        value: op[1],
                        done: false
                    };
                case 5:
                    _.label++;
                    y = op[1];
                    op = [
                        0
                    ];
                    continue;
                case 7:
                    op = _.ops.pop();
                    _.trys.pop();
                    continue;
                default:
                    if (!(t = _.trys, t = t.length > 0 && t[t.length - 1]) && (op[0] === 6 || op[0] === 2)) {
                        _ = 0;
                        continue;
                    }
                    if (op[0] === 3 && (!t || op[1] > t[0] && op[1] < t[3])) {
                        _.label = op[1];
                        break;
                    }
                    if (op[0] === 6 && _.label < t[1]) {
                        _.label = t[1];
                        t = op;
                        break;
                    }
                    if (t && _.label < t[2]) {
                        _.label = t[2];
                        _.ops.push(op);
                        break;
                    }
                    if (t[2]) _.ops.pop();
                    _.trys.pop();
                    continue;
            }
            op = body.call(thisArg, _);
        } catch (e) {
            op = [
                6,
                e
            ];
            y = 0;
        } finally{
            f = t = 0;
        }
        if (op[0] & 5) throw op[1];
        return {
            value: op[0] ? op[1] : void 0,
            done: true
        };
    }
}
var sleep = function sleep(ms) {
    return new Promise(function(resolve) {
        return setTimeout(resolve, ms);
    });
};
function load(id) {
    return _async_to_generator(function() {
        return _ts_generator(this, function(_state) {
            switch(_state.label){
                case 0:
                    return [
                        4,
                        sleep(20 + 5 * id)
                    ];
                case 1:
                    _state.sent();
                    if (id === 4) throw new Error('no such id');
                    return [
                        2,
                        id
                    ];
            }
        });
    })();
}
function inChunks(ids, size) {
    return _async_to_generator(function() {
        var i;
        return _ts_generator(this, function(_state) {
            switch(_state.label){
                case 0:
                    i = 0;
                    _state.label = 1;
                case 1:
                    if (!(i < ids.length)) return [
                        3,
                        4
                    ];
                    return [
                        4,
                        Promise.allSettled(ids.slice(i, i + size).map(function(id) {
                            return load(id);
                        }))
                    ];
                case 2:
                    _state.sent();
                    _state.label = 3;
                case 3:
                    i += size;
                    return [
                        3,
                        1
                    ];
                case 4:
                    return [
                        2
                    ];
            }
        });
    })();
}
var Store = /*#__PURE__*/ function() {
    "use strict";
    function Store() {
        _class_call_check(this, Store);
    }
    _create_class(Store, [
        {
            key: "save",
            value: function save(id) {
                return _async_to_generator(function() {
                    return _ts_generator(this, function(_state) {
                        switch(_state.label){
                            case 0:
                                return [
                                    4,
                                    null
                                ];
                            case 1:
                                _state.sent();
                                return [
                                    4,
                                    sleep(15 + 4 * id)
                                ];
                            case 2:
                                _state.sent();
                                return [
                                    2,
                                    sleep(5)
                                ];
                        }
                    });
                })();
            }
        }
    ]);
    return Store;
}();
function worker(store, queue) {
    return _async_to_generator(function() {
        return _ts_generator(this, function(_state) {
            switch(_state.label){
                case 0:
                    if (!(queue.length > 0)) return [
                        3,
                        2
                    ];
                    return [
                        4,
                        store.save(queue.shift())
                    ];
                case 1:
                    _state.sent();
                    return [
                        3,
                        0
                    ];
                case 2:
                    return [
                        2
                    ];
            }
        });
    })();
}
var Semaphore = /*#__PURE__*/ function() {
    "use strict";
    function Semaphore(free) {
        _class_call_check(this, Semaphore);
        this.free = free;
        this.waiting = [];
    }
    _create_class(Semaphore, [
        {
            key: "acquire",
            value: function acquire() {
                return _async_to_generator(function() {
                    var _this;
                    return _ts_generator(this, function(_state) {
                        switch(_state.label){
                            case 0:
                                _this = this;
                                if (this.free > 0) {
                                    this.free--;
                                    return [
                                        2
                                    ];
                                }
                                return [
                                    4,
                                    new Promise(function(resolve) {
                                        return _this.waiting.push(resolve);
                                    })
                                ];
                            case 1:
                                _state.sent();
                                return [
                                    2
                                ];
                        }
                    });
                }).call(this);
            }
        },
        {
            key: "release",
            value: function release() {
                var next = this.waiting.shift();
                if (next) next();
                else this.free++;
            }
        }
    ]);
    return Semaphore;
}();
var semaphore = new Semaphore(2);
var query = function query(id) {
    return _async_to_generator(function() {
        return _ts_generator(this, function(_state) {
            switch(_state.label){
                case 0:
                    return [
                        4,
                        semaphore.acquire()
                    ];
                case 1:
                    _state.sent();
                    _state.label = 2;
                case 2:
                    _state.trys.push([
                        2,
                        ,
                        4,
                        5
                    ]);
                    return [
                        4,
                        sleep(20 + 3 * id)
                    ];
                case 3:
                    _state.sent();
                    return [
                        3,
                        5
                    ];
                case 4:
                    semaphore.release();
                    return [
                        7
                    ];
                case 5:
                    return [
                        2
                    ];
            }
        });
    })();
};
function check(id) {
    return _async_to_generator(function() {
        var found;
        return _ts_generator(this, function(_state) {
            switch(_state.label){
                case 0:
                    return [
                        4,
                        sleep(10 + id)
                    ];
                case 1:
                    found = _state.sent();
                    return [
                        2,
                        found
                    ];
            }
        });
    })();
}
function main() {
    return _async_to_generator(function() {
        var store, queue, _i, _iter, id;
        return _ts_generator(this, function(_state) {
            switch(_state.label){
                case 0:
                    return [
                        4,
                        inChunks([
                            1,
                            2,
                            3,
                            4,
                            5,
                            6,
                            7
                        ], 3)
                    ];
                case 1:
                    _state.sent();
                    store = new Store();
                    queue = [
                        1,
                        2,
                        3,
                        4,
                        5,
                        6,
                        7,
                        8
                    ];
                    return [
                        4,
                        Promise.all([
                            worker(store, queue),
                            worker(store, queue),
                            worker(store, queue)
                        ])
                    ];
                case 2:
                    _state.sent();
                    return [
                        4,
                        Promise.all([
                            1,
                            2,
                            3,
                            4,
                            5,
                            6
                        ].map(query))
                    ];
                case 3:
                    _state.sent();
                    _i = 0, _iter = [
                        1,
                        2,
                        3,
                        4
                    ];
                    _state.label = 4;
                case 4:
                    if (!(_i < _iter.length)) return [
                        3,
                        7
                    ];
                    id = _iter[_i];
                    return [
                        4,
                        check(id)
                    ];
                case 5:
                    _state.sent();
                    _state.label = 6;
                case 6:
                    _i++;
                    return [
                        3,
                        4
                    ];
                case 7:
                    return [
                        2
                    ];
            }
        });
    })();
}
main();

