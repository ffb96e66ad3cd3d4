/** bluebird's coroutines, told of as async functions: the call, its steps, and what it waits for in between. */
import { STEP, type LibraryFrames } from '../stacks/library-frames';
import type { Coroutine } from '../stacks/stand-in-frames';
import type { LibraryPromises } from '../promises/library-promises';
import type { BluebirdPromises } from './bluebird-promises';
import type { AdapterSink } from './sink';
import { around, isFn, isObject, isPlainPromise, replace, type Fn } from './wrap';

const { apply } = Reflect;

/** A call of a coroutine. */
interface Call {
  readonly coroutine: Coroutine;
  promise: object | undefined;
  /** What goes on behind what it waits for. */
  waiting: object | undefined;
}
type Way = 'next' | 'throw' | 'return';

export class BluebirdCoroutines {
  private readonly calls = new WeakMap<object, Call>();
  /** The call that is being made: its generator comes before its promise. */
  private calling: Call | undefined;

  constructor(private readonly sink: AdapterSink, private readonly promises: LibraryPromises, private readonly bluebird: BluebirdPromises, private readonly frames: LibraryFrames) {}

  adapt(Bluebird: Fn): void {
    this.bluebird.waitingOf = ({ _promise: promise }: { _promise?: unknown }) => (this.bluebird.is(promise) ? this.calls.get(promise)?.waiting : undefined);
    replace(Bluebird, 'coroutine', (coroutine) => around(coroutine, (target, self, args) => {
      const [generator, ...rest] = args;
      const begins = isFn(generator) ? this.sink.quietly(() => this.promises.coroutineHere(generator)) : undefined;
      if (!isFn(generator) || !begins) return apply(target, self, args);
      const made = apply(target, self, [around(generator, (fn, on, given) => this.driven(apply(fn, on, given))), ...rest]);
      return isFn(made) ? around(made, (run, on, given) => {
        this.sink.inner(generator);
        return this.call(() => apply(run, on, given), { coroutine: begins, promise: undefined, waiting: undefined });
      }) : made;
    }));
  }

  private call(run: () => unknown, call: Call): unknown {
    const { calling } = this;
    this.calling = call;
    try {
      const result = this.bluebird.inside(run, (promise) => {
        call.promise = promise;
        this.calls.set(promise, call);
        this.promises.called(promise, call.coroutine);
      });
      // Where promises can be cancelled, the program gets one behind it.
      if (call.promise && this.bluebird.is(result) && result !== call.promise) {
        this.promises.alias(result, call.promise);
        this.calls.set(result, call);
      }
      return result;
    } finally { this.calling = calling; }
  }

  /** A generator whose steps are a call's. The library alone holds it. @param generator what the program's function gave */
  private driven(generator: unknown): unknown {
    const { calling: call } = this;
    this.calling = undefined;
    if (!call || !isGenerator(generator)) return generator;
    const go = (way: Way) => (value: unknown): IteratorResult<unknown> => {
      this.frames.running.push(call.coroutine);
      let step: IteratorResult<unknown>;
      try { step = this.bluebird.outside(() => runCoroutineStep(generator, way, value)); } finally { this.frames.running.pop(); }
      if (step.done !== true) this.sink.quietly(() => { this.awaits(call, step.value); });
      return step;
    };
    return { next: go('next'), throw: go('throw'), return: go('return') };
  }

  private awaits(call: Call, value: unknown): void {
    call.waiting = this.promises.awaited(call.coroutine, this.bluebird.numberOf(value), call.promise);
    // That the library listens to it for the coroutine is said already: until it is through with that.
    if (isPlainPromise(value) && this.bluebird.isCalledByItself) this.promises.isUnseen = true;
  }
}

/** Whether it is one, V8's own or a compiler's. */
const isGenerator = (value: unknown): value is Generator => isObject(value) && isFn(value.next) && isFn(value.throw) && isFn(value.return);

const { [STEP]: runCoroutineStep } = { [STEP](generator: Generator, way: Way, value: unknown): IteratorResult<unknown> { return generator[way](value); } };
