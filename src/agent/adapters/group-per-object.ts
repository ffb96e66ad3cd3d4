/** Limiters, queues and pools that are objects of a library's: each is one group. */
import type { LibraryGroup } from './sink';
import { isObject } from './wrap';

/**
 * @param make a group for an object that is met for the first time; undefined where it is none of those
 * @returns the group of what may be such an object
 */
export function groupPerObject(make: (object: Record<PropertyKey, unknown>) => LibraryGroup | undefined): (object: unknown) => LibraryGroup | undefined {
  const groups = new WeakMap<object, LibraryGroup>();
  return (object) => {
    if (!isObject(object)) return undefined;
    const known = groups.get(object);
    if (known) return known;
    const group = make(object);
    if (group) groups.set(object, group);
    return group;
  };
}
