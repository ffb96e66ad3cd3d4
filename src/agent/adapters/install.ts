/**
 * Finds libraries that adapters know as they are loaded. What that changes in a program, and only in one that has them:
 *
 *  - A CommonJS file: `Module.prototype.loaded` is an accessor, and so is a known module's own until it is loaded.
 *  - An ES module, and only where one that is known lies in a `node_modules` above the program or the folder it runs in: Node 22.15
 *    and later, `module.registerHooks` is used; Node 20, `module.register`, which starts Node's thread for module hooks. Either
 *    shows in the stacks of errors by which a module cannot be loaded.
 *    A known file gets one more line at its end; its own lines and columns stay where they are.
 *  - Where what a module exports is fixed (an ES module that is required on Node 20, a bundle's getters), `require` gives a proxy of that.
 *  - What such a library exports is a proxy of what it was, and the functions handed to it are: error stacks through
 *    them hold frames of the agent.
 *
 * A program that loads none of them runs as if there were no adapters.
 */
import fs from 'node:fs';
import Module from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { putAccessor, putValue } from '../intrinsics';
import { extendModule, type KnownModule } from './esm-hook';
import { adaptExports, adaptValue } from './exports';
import { KNOWN_FILES, knownFile, type KnownFile } from './libraries';
import type { AdapterSink } from './sink';
import { isFn } from './wrap';

const { existsSync } = fs;
const { getOwnPropertyDescriptor } = Object;
const slashed = (path: string): string => (path.includes('\\') ? path.replaceAll('\\', '/') : path);
/** The module of a worker that was given its code and no file. */
const EVALUATED = '[worker eval]';

let sink: AdapterSink | undefined;

export function watchLibraries(to: AdapterSink): void {
  sink = to;
  to.quietly(() => {
    watchRequire(to);
    watchImport();
  });
}

/** Called by the line that a known ES module ends with. @returns what takes the export's place */
export function adaptExport(path: string, name: string, value: unknown, scope: Readonly<Record<string, unknown>>): unknown {
  const file = KNOWN_FILES.find((one) => one.path === path);
  const adapt = file?.exports[name] ?? file?.inside?.[name];
  return adapt && isFn(value) ? sink?.quietly(() => sink && adaptValue(sink, adapt, value, scope)) ?? value : value;
}

/**
 * Node assigns `loaded` to each module as it makes it, reads it as it begins to load it, and assigns it again behind the last line.
 * Nobody is called in between, so that no stack of the module's own code is another one.
 */
function watchRequire(to: AdapterSink): void {
  const { prototype } = Module as unknown as { readonly prototype: object };
  if (getOwnPropertyDescriptor(prototype, 'loaded')) return;
  let begun = false;
  const put = (module: object, value: unknown): void => { putValue(module, 'loaded', value); };
  const begins = (module: object): boolean => {
    put(module, false);
    if ((module as { id?: unknown }).id === '.') {
      begun = true;
      to.quietly(() => { to.programBegins(); });
    }
    return false;
  };
  const follow = (module: object, file: KnownFile): void => {
    putAccessor(module, 'loaded', { enumerable: true, get: () => false, set(value) {
      put(module, value);
      to.quietly(() => { if (value === true && isModule(module)) module.exports = adaptExports(to, file, module.exports); });
    } });
  };
  putAccessor(prototype, 'loaded', { get: () => undefined, set(value) {
    const { id } = this as { id?: unknown };
    const file = value === false && typeof id === 'string' && id.includes('node_modules') ? to.quietly(() => knownFile(slashed(id))) : undefined;
    if (file) follow(this, file);
    else if (id === EVALUATED && value === false && !begun) {
      // Nobody loads it: it is compiled right away.
      put(this, false);
      begun = true;
      to.quietly(() => { to.programBegins(); });
    } else if (value === false && !begun) putAccessor(this, 'loaded', { enumerable: true, get: () => begins(this), set: (late) => { put(this, late); } });
    else put(this, value);
  } });
}

/** Those that may be ES modules. */
const ES_FILES = KNOWN_FILES.filter((file) => !file.whole && file.isCommon !== true);

const isModule = (value: unknown): value is { exports: unknown; id?: unknown } => typeof value === 'object' && value !== null && 'exports' in value;

interface ModuleHooks {
  registerHooks?(hooks: { load(url: string, context: unknown, next: (url: string, context: unknown) => Loaded): Loaded }): unknown;
  register?(specifier: string, parent: string): void;
}
interface Loaded { readonly format?: string; readonly source?: unknown }

/** ES modules whose exports are adapted: what the hooks look for. */
function modules(): KnownModule[] {
  return ES_FILES.map(({ path, exports, inside, scope }) => ({ path, names: Object.keys({ ...exports, ...inside }), scope: scope ?? [] }));
}

function watchImport(): void {
  if (!anyInstalled()) return;
  const hooks = Module as unknown as ModuleHooks;
  const known = modules();
  if (hooks.registerHooks) {
    hooks.registerHooks({ load(url, context, next) {
      const loaded = next(url, context);
      if (loaded.format !== 'module' || !url.includes('/node_modules/')) return loaded;
      const source = sink?.quietly(() => extendModule(url, textOf(loaded.source), known, __filename));
      return source === undefined ? loaded : { ...loaded, source };
    } });
  } else if (hooks.register) {
    const code = `const extend = ${extendModule.toString()};
const known = ${JSON.stringify(known)}, agent = ${JSON.stringify(__filename)};
export async function load(url, context, next) {
  const loaded = await next(url, context);
  if (loaded.format !== 'module' || !url.includes('/node_modules/')) return loaded;
  try {
    const source = extend(url, typeof loaded.source === 'string' ? loaded.source : Buffer.from(loaded.source).toString('utf8'), known, agent);
    return source === undefined ? loaded : { ...loaded, source };
  } catch { return loaded; }
}`;
    hooks.register(`data:text/javascript,${encodeURIComponent(code)}`, pathToFileURL(__filename).href);
  }
}

const textOf = (source: unknown): string => (typeof source === 'string' ? source : Buffer.from(source as Uint8Array).toString('utf8'));

/** Whether a known ES module lies where the program would find it, or may lie in an archive (Yarn without `node_modules`). */
function anyInstalled(): boolean {
  const paths = ES_FILES.map((file) => file.path);
  const seen = new Set<string>();
  for (const start of [dirname(process.argv[1] ?? '.'), process.cwd()]) {
    for (let dir = start; !seen.has(dir); dir = dirname(dir)) {
      seen.add(dir);
      const folder = join(dir, 'node_modules');
      if (existsSync(join(dir, '.pnp.cjs')) || (existsSync(folder) && paths.some((path) => existsSync(join(folder, path))))) return true;
    }
  }
  return false;
}
