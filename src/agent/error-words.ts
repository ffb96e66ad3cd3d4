/** What an error says, read without running any code of the program's: only what stands in data properties is looked at. */
import util from 'node:util';

const { isProxy } = util.types;
const { getOwnPropertyDescriptor, getPrototypeOf } = Object;
const MAX_LETTERS = 200;
const MAX_PROTOTYPES = 8;
/** Different ones that are told: messages that name their item are as many as the items. */
const MAX_TEXTS = 4096;

const { prototype: exceptionPrototype } = DOMException;
const getterOf = (name: 'name' | 'message'): ((this: unknown) => unknown) | undefined => getOwnPropertyDescriptor(exceptionPrototype, name)?.get;
const EXCEPTION = { name: getterOf('name'), message: getterOf('message') };
const { apply } = Reflect;

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
    if (at === exceptionPrototype) return exceptionText(reason, key);
    const value: unknown = getOwnPropertyDescriptor(at, key)?.value;
    if (typeof value === 'string') return key === 'name' && value === 'Error' && made !== '' ? made : value;
    if (key === 'name' && made === '' && at !== reason) made = constructorName(at);
    at = getPrototypeOf(at);
  }
  return made;
}

/** Its getters are Node's own, which look at the exception's hidden slots. */
function exceptionText(reason: unknown, key: 'name' | 'message'): string {
  const getter = EXCEPTION[key];
  try {
    const value = getter && apply(getter, reason, []);
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
