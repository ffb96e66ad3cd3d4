// What the async_hooks backend cannot be cheaper than: its hooks, doing nothing.
import { createHook } from 'node:async_hooks';

createHook({ init() {}, before() {}, after() {}, promiseResolve() {} }).enable();
