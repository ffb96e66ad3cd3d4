// @style tsc ES2015 output: what a compiler makes of async functions for ES2015: __awaiter and generators
// @expect orders: pool tasks=9 conc=3 ok=9 error=0 peak=3
"use strict";
var __awaiter = (this && this.__awaiter) || function (thisArg, _arguments, P, generator) {
    function adopt(value) { return value instanceof P ? value : new P(function (resolve) { resolve(value); }); }
    return new (P || (P = Promise))(function (resolve, reject) {
        function fulfilled(value) { try { step(generator.next(value)); } catch (e) { reject(e); } }
        function rejected(value) { try { step(generator["throw"](value)); } catch (e) { reject(e); } }
        function step(result) { result.done ? resolve(result.value) : adopt(result.value).then(fulfilled, rejected); }
        step((generator = generator.apply(thisArg, _arguments || [])).next());
    });
};
Object.defineProperty(exports, "__esModule", { value: true });
const gt_cjs_1 = require("../gt.cjs");
const g = (0, gt_cjs_1.group)({ name: 'orders', kind: 'pool', concurrency: 3, declared: 9 });
const sleep = (ms) => new Promise((r) => setTimeout(r, ms));
class OrderService {
    constructor() { this.queue = (0, gt_cjs_1.range)(9); }
    ship(id) {
        return __awaiter(this, void 0, void 0, function* () { // @task orders
            const t = g.start(id);
            yield sleep((0, gt_cjs_1.ms)(id));
            t.ok();
        });
    }
    worker() {
        return __awaiter(this, void 0, void 0, function* () {
            while (this.queue.length)
                yield this.ship(this.queue.shift());
        });
    }
    run(n) {
        return __awaiter(this, void 0, void 0, function* () {
            yield Promise.all(Array.from({ length: n }, () => this.worker())); // @group orders
        });
    }
}
new OrderService().run(3).then(() => g.end());
