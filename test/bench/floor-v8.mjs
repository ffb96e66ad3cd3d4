// What the v8 backend cannot be cheaper than: its hooks, doing nothing.
import { promiseHooks } from 'node:v8';

promiseHooks.createHook({ init() {}, before() {}, after() {}, settled() {} });
