/** Frames and stacks as the agent told them, and what they mean: the user's code, a library's, Node's, V8's. */
import type { Site } from '../../model/timeline';

export type PlaceKind = 'user' | 'library' | 'node' | 'native';

/** One place in the running code. */
export interface Place {
  readonly kind: PlaceKind;
  /** npm name, for a library's place. */
  readonly library: string | undefined;
  readonly file: string;
  readonly name: string;
  /** The same without that of its class, and without the `#` of a private one. */
  readonly lastName: string;
  readonly line: number;
  readonly column: number;
  /** Where the enclosing function begins. */
  readonly startLine: number;
  readonly startColumn: number;
  /** The enclosing function, as one string. */
  readonly fn: string;
  /** The place itself, as one string. */
  readonly at: string;
  /** Whether it is in a stream of Node's. */
  readonly isStreams: boolean;
  /** Whether it is in a function by which a compiler makes `next`, `return` and `throw` of an async generator, as its name tells. */
  readonly isStep: boolean;
}

/** What TypeScript's, swc's and esbuild's helpers assign to an async generator's methods, `i[name] = function …`. A guess, where no source map says that it is a compiler's. */
const STEP = /^(?:i|it)\.<computed>$/;

/** Files of Node's that make up its streams. */
const STREAMS = /^node:(?:internal\/streams\/|stream)/;

/** Helpers that make a promise for whoever calls them to settle. A guess by name. */
const DEFERRED = /^(?:create|make|new|get)?_?defer(?:red)?(?:promise)?$/i;

/** A chain of frames, innermost first. */
export class Stack {
  /** The innermost frame that is code and no builtin; undefined where a builtin runs that no code called, as `finally` does when it is its turn. */
  readonly top: Stack | undefined;
  /** The innermost frame of the user's own code. */
  readonly user: Stack | undefined;
  /** The outermost one of the code that runs, as far as is known. */
  readonly base: Stack | undefined;
  /** Whether it is a helper that makes a promise for the function that calls it. */
  readonly isDeferring: boolean;
  /** Whether a web stream has called the function that runs: whoever reads or writes there at the moment has only asked for something. */
  readonly isForStream: boolean;
  /** What was asked last of `calledBy`, and its answer; `null` for none. A million promises are made at few stacks, by the same functions. */
  private callFrame: Stack | undefined | null = null;
  private calledByFunction: string | undefined;
  private calledAsEntry = false;
  /** The same of `libraryUpTo`. */
  private library: string | undefined | null = null;
  private libraryUpToFunction: string | undefined;

  /** @param awaits whether the place awaits what is inside of it */
  constructor(readonly id: number, readonly place: Place, readonly awaits: boolean, readonly callers: Stack | undefined) {
    // Asked of every promise: what the callers know need not be looked for again.
    this.top = place.kind !== 'native' ? this : callers && !callers.awaits ? callers.top : undefined;
    this.user = place.kind === 'user' ? this : callers?.user;
    this.base = (callers && !callers.awaits ? callers.base : undefined) ?? (place.kind === 'user' ? this : undefined);
    const by = this.top?.callers?.place;
    this.isForStream = by?.kind === 'node' && by.file.startsWith('node:internal/webstreams/');
    this.isDeferring = callers?.place.kind === 'user' && !callers.awaits && DEFERRED.test(place.name);
  }

  /** The function whose work it is, as one string. */
  get functionKey(): string { return (this.isDeferring ? this.callers ?? this : this).place.fn; }

  /**
   * The frame of the user's code in which a function called what became a promise that was made here; where none is that function's, the innermost.
   * @param own the function @param isEntry whether the innermost frame is the async function's whose call the promise is
   */
  calledBy(own: string | undefined, isEntry: boolean): Stack | undefined {
    if (this.callFrame !== null && this.calledByFunction === own && this.calledAsEntry === isEntry) return this.callFrame;
    this.calledByFunction = own;
    this.calledAsEntry = isEntry;
    this.callFrame = this.findCallBy(own, isEntry);
    return this.callFrame;
  }

  private findCallBy(own: string | undefined, isEntry: boolean): Stack | undefined {
    let first: Stack | undefined;
    for (let at: Stack | undefined = this as Stack; at && !at.awaits; at = at.callers) {
      if (at.place.kind !== 'user' || (at === this && isEntry)) continue;
      if (at.place.fn === own) return at;
      // The function's own frame is no call of it; but a promise made right there has no other.
      if (!first || first === this) first = at;
    }
    return first;
  }

  /** The library between here and a function that runs. @param own the function */
  libraryUpTo(own: string | undefined): string | undefined {
    if (this.library !== null && this.libraryUpToFunction === own) return this.library;
    let at = this.callers;
    while (at && !at.awaits && at.place.kind !== 'library' && at.place.fn !== own) at = at.callers;
    this.libraryUpToFunction = own;
    this.library = at && !at.awaits ? at.place.library : undefined;
    return this.library;
  }
}

const THEN = 'then';
const FOLDER = 'node_modules';
/** The name of a package, with its scope, at the beginning of a path. */
const PACKAGE = /^(?:@[^\\/]+[\\/])?[^\\/]+/;
/** No package's name is longer. */
const MAX_NAME = 512;
const isSeparator = (letter: string | undefined): boolean => letter === '/' || letter === '\\';

/** @param file path of a source, of any length @returns the package that it is a file of: the innermost, where packages are in packages */
function libraryIn(file: string): string | undefined {
  for (let at = file.lastIndexOf(FOLDER); at > 0; at = file.lastIndexOf(FOLDER, at - 1)) {
    const begin = at + FOLDER.length;
    const name = isSeparator(file[at - 1]) && isSeparator(file[begin]) ? PACKAGE.exec(file.slice(begin + 1, begin + 1 + MAX_NAME))?.[0] : undefined;
    if (name !== undefined) return name.replaceAll('\\', '/');
  }
  return undefined;
}

/** What compilers write into every file instead of importing it. */
const HELPERS = 'tslib';
const HELPER_LIBRARIES: ReadonlySet<string> = new Set([HELPERS, '@babel/runtime', '@swc/helpers']);

/** Whether it is a compiler's code: an async generator's, where the language it compiles to has none. */
export const isHelpers = ({ library }: Place): boolean => library !== undefined && HELPER_LIBRARIES.has(library);

/** Where running code comes from. */
export interface Sources {
  /** Where code that was compiled or bundled stands in its source: a bundle holds libraries as well. */
  readonly mapSite: (site: Site, begins?: boolean) => Site;
  /** Whether a compiler wrote it for itself. */
  readonly isHelper: (site: Site) => boolean;
}

/** @param file path of a source */
export const isInLibrary = (file: string): boolean => libraryIn(file) !== undefined;

/** Node's own copies of the language's builtins: what calls one of them calls a builtin. */
const PRIMORDIALS = 'node:internal/per_context/primordials';

export class Places {
  private readonly strings: string[] = [''];
  private readonly places: (Place | undefined)[] = [];
  private readonly stacks: (Stack | undefined)[] = [];
  /** By number: the same with a call of `then` on top, which is made at a place of its own for each where something is awaited. */
  private readonly thenStacks: (Stack | undefined)[] = [];
  /** By number: the same with a call of `Promise.resolve` on top. */
  private readonly resolvedStacks: (Stack | undefined)[] = [];
  private readonly thens = new Map<Place, Place>();

  constructor(private readonly sources: Sources) {}

  /** @returns the text told under a number */
  text(id: number): string { return this.strings[id] ?? ''; }

  addString(id: number, text: string): void { this.strings[id] = text; }

  addFrame(id: number, native: boolean, file: number, name: number, line: number, column: number, startLine: number, startColumn: number): void {
    const path = this.strings[file] ?? '';
    const isNodes = path.startsWith('node:');
    const library = native || isNodes ? undefined : libraryIn(path) ?? this.libraryAt({ file: path, line, column, function: '' });
    const kind: PlaceKind = native ? 'native' : isNodes ? 'node' : library !== undefined ? 'library' : 'user';
    const fullName = this.strings[name] ?? '';
    this.places[id] = {
      kind, library: kind === 'library' ? library : undefined, file: path, name: fullName, lastName: fullName.slice(fullName.lastIndexOf('.') + 1).replace('#', ''),
      line, column, startLine, startColumn, fn: native ? '' : functionKey(path, startLine, startColumn, fullName), at: `${path}:${line}:${column}`,
      isStreams: isNodes && STREAMS.test(path), isStep: (kind === 'user' || (library !== undefined && HELPER_LIBRARIES.has(library))) && STEP.test(fullName),
    };
  }

  private libraryAt(site: Site): string | undefined { return this.sources.isHelper(site) ? HELPERS : libraryIn(this.sources.mapSite(site).file); }

  addStack(id: number, callers: number, frame: number, awaits: boolean): void {
    const place = this.places[frame];
    // Each is told after what it is made of; in a damaged file it may not be.
    if (place && callers < id) this.stacks[id] = place.file === PRIMORDIALS ? this.stacks[callers] : new Stack(id, place, awaits, this.stacks[callers]);
  }

  stack(id: number): Stack | undefined { return this.stacks[id]; }

  /** @param id of the stack where something is awaited that is no promise @returns the same with a call of that one's `then` on top, which V8 makes in a run of code of its own */
  thenAt(id: number): Stack | undefined {
    const stack = this.stacks[id];
    // What a combinator was given carries the combinator's stack.
    if (!stack || stack.place.kind === 'native') return stack;
    let place = this.thens.get(stack.place);
    if (!place) this.thens.set(stack.place, (place = thenAt(stack.place)));
    return (this.thenStacks[id] ??= new Stack(id, place, false, stack));
  }

  /** @returns a stack with `Promise.resolve` on top, which it calls */
  resolvedAt(stack: Stack): Stack { return (this.resolvedStacks[stack.id] ??= new Stack(stack.id, RESOLVE, false, stack)); }
}

/** Stands for a promise that is settled from the start. */
const RESOLVE: Place = { kind: 'native', library: undefined, file: '', name: 'resolve', lastName: 'resolve', line: 0, column: 0, startLine: 0, startColumn: 0, fn: 'resolve', at: 'resolve', isStreams: false, isStep: false };

/** A module and the first function in it may begin at the same place: only the function has a name. */
const functionKey = (file: string, line: number, column: number, name: string): string =>
  `${file}:${line}:${column}${line === 1 && column === 1 && name !== '' ? ':named' : ''}`;

/** What is awaited at a place is asked of by a call, as any of an API. */
const thenAt = ({ line, column, startLine, startColumn, at }: Place): Place =>
  ({ kind: 'node', library: undefined, file: '', name: THEN, lastName: THEN, line, column, startLine, startColumn, fn: `${THEN}|${at}`, at: `${THEN}|${at}`, isStreams: false, isStep: false });

/** Whether it is how V8 asks something for its result that is awaited and no promise. */
export const isThen = ({ kind, file, name }: Place): boolean => kind === 'node' && file === '' && name === THEN;

/** Whether it is code of a module, or of a script, outside of any function. */
export const isModules = ({ name, startLine, startColumn }: Place): boolean => name === '' && startLine === 1 && startColumn === 1;

/** Whether a place is in a builtin of that name. */
export const isBuiltin = (place: Place | undefined, name: string): boolean => place?.kind === 'native' && place.name === name;

/** As `Stack.top`. */
export const topOf = (stack: Stack | undefined): Stack | undefined => stack?.top;

/** As `Stack.user`. */
export const userFrame = (stack: Stack | undefined): Stack | undefined => stack?.user;

/** The library whose code the stack is in, if the user's code is not nearer. */
export const libraryOf = (stack: Stack | undefined): string | undefined => topOf(stack)?.place.library;

/** The innermost frame that is as wanted, of the running code; undefined where what was looked at has none. */
export function frameWhere(stack: Stack | undefined, isWanted: (place: Place) => boolean): Stack | undefined {
  let at = stack;
  while (at && !at.awaits && !isWanted(at.place)) at = at.callers;
  return at?.awaits ? undefined : at;
}

const isNoLibrarys = ({ kind }: Place): boolean => kind !== 'library';
const isNoEmitter = ({ file }: Place): boolean => file !== 'node:events';

/** The module of Node's own that called a frame's function, through a library or not, and where an emitter called it, that which emits; undefined where other code did. */
export function nodeCallerOf(frame: Stack | undefined): string | undefined {
  const by = frameWhere(frame?.callers, isNoLibrarys);
  const emits = by && frameWhere(by, isNoEmitter);
  return by?.place.kind === 'node' ? (emits?.place.kind === 'node' ? emits : by).place.file : undefined;
}

/** Whether it is Node where its event loop has come to, and no function of Node's that was handed the caller. */
export const isLoops = ({ kind, file }: Place): boolean => kind === 'node' && /^node:internal\/(?:process\/task_queues|timers)$/.test(file);

/** Whether the same code runs at both, called by the same: be it that Node's event loop is seen beneath one of them or not. */
export function runSame(a: Stack | undefined, b: Stack | undefined): boolean {
  let [one, other] = [a, b];
  while (one && other && one !== other && one.place === other.place && one.awaits === other.awaits) [one, other] = [one.callers, other.callers];
  return one === other || [one, other].every((frame) => !frame || isLoops(frame.place));
}

/** As many frames as the agent looks at (`FRAMES` in `agent/stacks/call-stacks.ts`): there may be more above. */
const LOOKED_AT = 4;

/** Whether there may be more of the running code than was looked at. */
export function isCutOff(stack: Stack | undefined): boolean {
  let frames = 0;
  for (let at = stack; at && !at.awaits; at = at.callers) {
    if (isLoops(at.place)) return false;
    frames++;
  }
  return frames >= LOOKED_AT;
}

/** Where the running code stands. */
export const siteOf = ({ place }: Stack): Site => ({ file: place.file, line: place.line, column: place.column, function: place.name });

/** Where the enclosing function begins. */
export const functionSiteOf = ({ place }: Stack): Site => ({ file: place.file, line: place.startLine, column: place.startColumn, function: place.name });
