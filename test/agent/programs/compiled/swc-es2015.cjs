// pools.js as @swc/core 1.16.22 for ES2015 writes it.
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
const sleep = (ms)=>new Promise((resolve)=>setTimeout(resolve, ms));
function load(id) {
    return _async_to_generator(function*() {
        yield sleep(20 + 5 * id);
        if (id === 4) throw new Error('no such id');
        return id;
    })();
}
function inChunks(ids, size) {
    return _async_to_generator(function*() {
        for(let i = 0; i < ids.length; i += size)yield Promise.allSettled(ids.slice(i, i + size).map((id)=>load(id)));
    })();
}
class Store {
    save(id) {
        return _async_to_generator(function*() {
            yield null;
            yield sleep(15 + 4 * id);
            return sleep(5);
        })();
    }
}
function worker(store, queue) {
    return _async_to_generator(function*() {
        while(queue.length > 0)yield store.save(queue.shift());
    })();
}
class Semaphore {
    acquire() {
        return _async_to_generator(function*() {
            if (this.free > 0) {
                this.free--;
                return;
            }
            yield new Promise((resolve)=>this.waiting.push(resolve));
        }).call(this);
    }
    release() {
        const next = this.waiting.shift();
        if (next) next();
        else this.free++;
    }
    constructor(free){
        this.free = free;
        this.waiting = [];
    }
}
const semaphore = new Semaphore(2);
const query = (id)=>_async_to_generator(function*() {
        yield semaphore.acquire();
        try {
            yield sleep(20 + 3 * id);
        } finally{
            semaphore.release();
        }
    })();
function check(id) {
    return _async_to_generator(function*() {
        const found = yield sleep(10 + id);
        return found;
    })();
}
function main() {
    return _async_to_generator(function*() {
        yield inChunks([
            1,
            2,
            3,
            4,
            5,
            6,
            7
        ], 3);
        const store = new Store();
        const queue = [
            1,
            2,
            3,
            4,
            5,
            6,
            7,
            8
        ];
        yield Promise.all([
            worker(store, queue),
            worker(store, queue),
            worker(store, queue)
        ]);
        yield Promise.all([
            1,
            2,
            3,
            4,
            5,
            6
        ].map(query));
        for (const id of [
            1,
            2,
            3,
            4
        ])yield check(id);
    })();
}
main();

