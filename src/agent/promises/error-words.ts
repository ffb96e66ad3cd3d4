/** What an error is and says, read without running any code of the program's: only what stands in data properties is looked at. */
import { RejectionKind } from '../../model/facts';
import { isProxy } from '../node-util';

const { getOwnPropertyDescriptor, getPrototypeOf } = Object;
const MAX_LETTERS = 200;
const MAX_PROTOTYPES = 8;
/** Different ones that are told: messages that name their item are as many as the items. */
const MAX_TEXTS = 4096;

const { apply } = Reflect;
// Node 20 makes the class when it is first asked for, which a program can tell: so not before there is an error of that name.
const domException = getOwnPropertyDescriptor(globalThis, 'DOMException');
const isDomException = (prototype: object): boolean =>
  constructorName(prototype) === 'DOMException'
  && prototype === ((domException?.get ? apply(domException.get, globalThis, []) : domException?.value) as typeof DOMException).prototype;

/** Called off: as Node, the web and the better-known libraries call it. */
const ABORT = /^(?:Abort|Cancel|StopThePromisePool)/;
const TIMEOUT = /time(?:d)?out/i;
const kindByName = (name: string): number => (ABORT.test(name) ? RejectionKind.aborted : TIMEOUT.test(name) ? RejectionKind.timedOut : RejectionKind.other);

export class ErrorWords {
  private readonly told = new Map<string, number>();

  /** @param tell gives a text its number, from 1 */
  constructor(private readonly tell: (text: string) => number) {}

  /** @param words of an error @returns their number; 0 where there are none, or too many others */
  idOf(words: string): number {
    if (words === '') return 0;
    let id = this.told.get(words);
    if (id === undefined && this.told.size < MAX_TEXTS) this.told.set(words, (id = this.tell(words)));
    return id ?? 0;
  }
}

/** @returns `RejectionKind` by the name of the error or of any class it is of */
export function kindOf(reason: unknown): number {
  let at: unknown = reason;
  for (let steps = 0; typeof at === 'object' && at !== null && !isProxy(at) && steps < MAX_PROTOTYPES; steps++) {
    if (isDomException(at)) return kindByName(exceptionText(reason, at, 'name'));
    const name: unknown = getOwnPropertyDescriptor(at, 'name')?.value;
    const kind = kindByName(typeof name === 'string' && name !== 'Error' ? name : constructorName(at));
    if (kind !== RejectionKind.other) return kind;
    at = getPrototypeOf(at);
  }
  return RejectionKind.other;
}

/** As `kindOf`, of an error as `util.inspect` describes it. @param description may be cut */
export const kindIn = (description: string): number => kindByName(/\w*(?:Error|Exception)\b(?! \[)/.exec(description.slice(0, 80))?.[0] ?? '');

/** @returns `Name: message`, or the value itself where no error was thrown but a word or a number; empty where neither can be told */
export function wordsOf(reason: unknown): string {
  if (typeof reason === 'string') return reason.slice(0, MAX_LETTERS);
  if (typeof reason === 'number' || typeof reason === 'boolean' || typeof reason === 'bigint') return String(reason).slice(0, MAX_LETTERS);
  const name = read(reason, 'name');
  const message = read(reason, 'message').slice(0, MAX_LETTERS);
  return (name !== '' && message !== '' ? `${name}: ${message}` : name || message).slice(0, MAX_LETTERS);
}

/** As `wordsOf`, of an error as `util.inspect` describes it: up to its stack. A class that is not called an error is not in there. @param description may be cut */
export function wordsIn(description: string): string {
  const [, outer = '', inner = '', message = ''] = /^\[?(\w+)(?: \[(\w+)\])?(?:: ([^]*?))?(?:\]?\s*\}?$|\]? \{|\n\s+at )/u.exec(description) ?? [];
  const name = [inner, outer].find((each) => /(?:Error|Exception)$/u.test(each));
  return name === undefined ? '' : (message === '' ? name : `${name}: ${message}`).slice(0, MAX_LETTERS);
}

/** The nearest text of that name along the prototypes; of a class that gives no name its own. */
function read(reason: unknown, key: 'name' | 'message'): string {
  let at: unknown = reason;
  let made = '';
  for (let steps = 0; typeof at === 'object' && at !== null && !isProxy(at) && steps < MAX_PROTOTYPES; steps++) {
    if (isDomException(at)) return exceptionText(reason, at, key);
    const value: unknown = getOwnPropertyDescriptor(at, key)?.value;
    if (typeof value === 'string') return key === 'name' && value === 'Error' && made !== '' ? made : value;
    if (key === 'name' && made === '' && at !== reason) made = constructorName(at);
    at = getPrototypeOf(at);
  }
  return made;
}

/** Its getters are Node's own, which look at the exception's hidden slots. @param prototype of `DOMException` */
function exceptionText(reason: unknown, prototype: object, key: 'name' | 'message'): string {
  const getter = getOwnPropertyDescriptor(prototype, key)?.get;
  try {
    const value: unknown = getter && apply(getter, reason, []);
    return typeof value === 'string' ? value : '';
  } catch {
    return '';
  }
}

function constructorName(prototype: object): string {
  const made: unknown = getOwnPropertyDescriptor(prototype, 'constructor')?.value;
  const name: unknown = typeof made === 'function' && !isProxy(made) ? getOwnPropertyDescriptor(made, 'name')?.value : undefined;
  return typeof name === 'string' && name !== 'Object' ? name : '';
}
