/**
 * What the agent needs of the language while a program runs that may have replaced, deleted or added things: taken before its
 * first line, and without a step through what it can reach.
 */
const { assign, create, defineProperty, getOwnPropertyDescriptor, setPrototypeOf } = Object;
const HostProxy = Proxy;

/** What stands for another object; what a program put on `Object.prototype` is no trap of it. */
export const proxyOf = <T extends object>(target: T, traps: ProxyHandler<T>): T => new HostProxy(target, setPrototypeOf(traps, null) as ProxyHandler<T>);

// A program may have put a `get` on `Object.prototype`, which every plain descriptor would inherit.
const data = assign(create(null) as PropertyDescriptor, { writable: true, enumerable: true, configurable: true });
const accessor = assign(create(null) as PropertyDescriptor, { configurable: true });

/** Gives an object a property of its own, as assigning to a new one does. */
export function putValue(holder: object, key: PropertyKey, value: unknown): void {
  data.value = value;
  defineProperty(holder, key, data);
  data.value = undefined;
}

/** Puts an accessor in a property's place; it can be replaced. */
export function putAccessor(holder: object, key: PropertyKey, { get, set, enumerable = false }: { get?(this: object): unknown; set(this: object, value: unknown): void; enumerable?: boolean }): void {
  if (get) accessor.get = get;
  accessor.set = set;
  accessor.enumerable = enumerable;
  defineProperty(holder, key, accessor);
  delete accessor.get;
  delete accessor.set;
}

/** Puts another value in a property's place that is there, with all else as it was. */
export function putInstead(holder: object, key: PropertyKey, value: unknown): void {
  defineProperty(holder, key, assign(create(null) as PropertyDescriptor, getOwnPropertyDescriptor(holder, key), { value }));
}

/** A list with another value at a 0-based place. */
export function replacedAt<T>(list: readonly T[], at: number, value: T): T[] {
  const copy: T[] = [];
  for (let i = 0; i < list.length; i++) copy[i] = i === at ? value : list[i];
  return copy;
}

/** @returns the 0-based place of the last function; -1 where there is none */
export function lastFunction(list: readonly unknown[]): number {
  for (let i = list.length - 1; i >= 0; i--) if (typeof list[i] === 'function') return i;
  return -1;
}
