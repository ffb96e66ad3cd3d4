/**
 * Sees a library that makes promises of its own (bluebird) as the builtin that it stands for: its frames, and ours between it and the program, become
 * one frame without a file, or none. So the stack is the one that V8's own promises and async functions would have, and the rest of the agent need not know.
 */
import { isNative, type CallSite } from './raw-stack';
import { FrameOf, nativeFrame, PROMISIFIED, type Coroutine } from './stand-in-frames';

/** Functions of ours, by name, that stand between the library and the program: what runs as a reaction, and a step of a coroutine. */
export const REACTION = 'runLibraryReaction';
export const STEP = 'runCoroutineStep';
const GENERATORS = /^(?:next|throw|return)$/;
/** What makes a promise where no combinator does. */
export const MAKER = 'Promise';
/** The builtins that the library's combinators stand for. */
const COMBINATORS: Readonly<Record<string, string>> = { all: 'all', props: 'all', join: 'all', allSettled: 'allSettled', race: 'race', any: 'any', some: 'any' };

/** Whether it is what the library made of a function that takes a callback: from a text, which has no file, or not. */
const isPromisified = (site: CallSite): boolean => isNative(site) || site.getFunctionName() === 'promisified';

/** @param name of a function of the library's */
export const builtinOf = (name: string): string => COMBINATORS[name.slice(name.lastIndexOf('.') + 1)] ?? MAKER;

export class LibraryFrames {
  /** What stands for the library's frames where they come first: what is known of what it does. */
  onTop: readonly CallSite[] | undefined;
  /** Coroutines that are at a step, innermost last. */
  readonly running: Coroutine[] = [];

  /** @param isLibrarys whether a path, or where V8 says that code made from a text comes from, is the library's @param own our own file */
  constructor(private readonly isLibrarys: (file: string) => boolean, private readonly own: string) {}

  /** @param raw frames, innermost first @returns those of the running code */
  see(raw: readonly CallSite[]): CallSite[] {
    const sites: CallSite[] = [];
    let at = this.running.length;
    for (let i = 0; i < raw.length;) {
      let end = i;
      while (end < raw.length && this.isPassedOver(raw[end], raw[end + 1])) end++;
      if (end === i) { sites.push(raw[i++]); continue; }
      const isTop = sites.length === 0;
      let outermost: CallSite | undefined;
      let steps = false;
      let isReaction = false;
      for (const site of raw.slice(i, end)) {
        const called = site.getFunctionName() ?? '';
        if (site.getFileName() !== this.own) outermost = site;
        else if (called === REACTION) { isReaction = true; break; }
        else if (called === STEP) {
          const coroutine = this.running[--at];
          if (coroutine && !isTop && !steps) sites.push(new FrameOf(sites.pop() as CallSite, coroutine));
          steps = true;
        }
      }
      if (isTop && this.onTop) sites.push(...this.onTop);
      else if (outermost && (isTop || (!steps && !isReaction))) sites.push(nativeFrame(builtinOf(outermost.getFunctionName() ?? '')));
      if (isTop && outermost && isPromisified(outermost)) sites.push(PROMISIFIED);
      if (isReaction) break;
      i = end;
    }
    return sites;
  }

  private isPassedOver(site: CallSite, caller: CallSite | undefined): boolean {
    const file = site.getFileName();
    if (file) return file === this.own || this.isLibrarys(file);
    if (GENERATORS.test(site.getFunctionName() ?? '')) return caller?.getFileName() === this.own && caller.getFunctionName() === STEP;
    const origin = site.getEvalOrigin?.();
    return origin !== undefined && this.isLibrarys(origin);
  }
}
