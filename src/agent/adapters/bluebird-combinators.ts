/** bluebird's combinators, told of as the language's own. */
import { builtinOf } from '../stacks/library-frames';
import type { LibraryPromises } from '../promises/library-promises';
import { isProxy, isSet } from '../node-util';
import type { BluebirdPromises } from './bluebird-promises';
import { around, isObject, replace, type Fn } from './wrap';

const { apply } = Reflect;
const { getOwnPropertyDescriptor, keys } = Object;
const { isArray } = Array;
const { forEach } = Set.prototype;

/** What the program gives a combinator, of which some may be promises. Getters, iterators and proxies are the library's to ask. */
type Given = (args: readonly unknown[]) => unknown;
const listed: Given = ([given]) => (isArray(given) ? given : isSet(given) ? valuesOf(given) : undefined);
const valuesOf = (set: Set<unknown>): unknown[] => {
  const values: unknown[] = [];
  apply(forEach, set, [(value: unknown) => { values[values.length] = value; }]);
  return values;
};
const COMBINATORS: Readonly<Record<string, Given>> = {
  all: listed, allSettled: listed, race: listed, any: listed, some: listed, props: ([given]) => given, join: (args) => args,
};

export class BluebirdCombinators {
  constructor(private readonly promises: LibraryPromises, private readonly bluebird: BluebirdPromises) {}

  adapt(Bluebird: Fn): void {
    for (const [name, given] of Object.entries(COMBINATORS)) {
      replace(Bluebird, name, (fn) => around(fn, (target, self, args) => (this.bluebird.isCalledByItself ? apply(target, self, args) : this.call(builtinOf(name), () => apply(target, self, args), given(args)))));
    }
  }

  private call(builtin: string, run: () => unknown, given: unknown): unknown {
    const elements = this.elementsIn(given).map((element) => this.bluebird.numberOf(element));
    return this.bluebird.inside(run, (promise) => {
      this.promises.made(promise, builtin);
      // Of V8's promises among the elements the hooks tell.
      for (const element of elements) this.promises.listens(builtin, element);
      this.promises.combines(promise, 'bluebird');
    });
  }

  /** @param given a list or an object @returns the library's promises in it */
  private elementsIn(given: unknown): object[] {
    const elements: object[] = [];
    if (!isObject(given) || isProxy(given) || this.bluebird.is(given)) return elements;
    for (const key of keys(given)) {
      const element: unknown = getOwnPropertyDescriptor(given, key)?.value;
      if (this.bluebird.is(element)) elements.push(element);
    }
    return elements;
  }
}
