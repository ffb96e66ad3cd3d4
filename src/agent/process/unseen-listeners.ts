/** Listeners of the agent's own on `process`, which do not bring the program nearer to Node's warning of too many. */
import events from 'node:events';
import { putAccessor } from '../intrinsics';

const { EventEmitter } = events;

/** Node keeps the listeners to an event of `process` as one function or a list, and warns where that has become longer than it may be. */
interface Listening {
  readonly _events?: Record<string, unknown>;
  readonly _maxListeners?: number;
}

/** As `process.on`; one of ours in the list is not counted. */
export function listen(event: string, listener: (...args: never[]) => void): void {
  process.on(event, listener as () => void);
  const { _events: listeners } = process as Listening;
  if (!listeners) return;
  if (listeners[event] === listener) listeners[event] = [listener];
  const list = listeners[event];
  if (Array.isArray(list)) countOneLess(list);
}

/** Node asks the list itself whether it has warned of it already. */
function countOneLess(list: readonly unknown[]): void {
  let hasWarned: unknown = false;
  putAccessor(list, 'warned', {
    get: () => hasWarned !== false || list.length - 1 <= ((process as Listening)._maxListeners ?? EventEmitter.defaultMaxListeners),
    set(value) { hasWarned = value; },
  });
}
