/** What a run runs: something of the workspace that a person names, and that can be run again. */
import { basename, isAbsolute } from 'node:path';

export type Target =
  /** A JavaScript or TypeScript file. */
  | { readonly kind: 'script'; readonly path: string }
  /** An entry of `scripts` in a package.json. */
  | { readonly kind: 'npm'; readonly path: string; readonly script: string }
  /** A configuration of a folder's launch.json. */
  | { readonly kind: 'launch'; readonly path: string; readonly name: string }
  /** A file of tests, run by the project's test runner. */
  | { readonly kind: 'test'; readonly path: string }
  /** Whatever Node processes start under the agent's options, in a folder's terminals or elsewhere. */
  | { readonly kind: 'open'; readonly path: string; readonly name: string };

export const scriptTarget = (path: string): Target => ({ kind: 'script', path });

/** The same for every run of it. */
export function idOf(target: Target): string {
  switch (target.kind) {
    case 'script': return target.path;
    case 'npm': return `npm:${target.path}#${target.script}`;
    case 'launch': return `launch:${target.path}#${target.name}`;
    case 'test': return `test:${target.path}`;
    case 'open': return `open:${target.path}#${target.name}`;
  }
}

/** What to call it in titles. */
export function titleOf(target: Target): string {
  switch (target.kind) {
    case 'npm': return target.script;
    case 'launch': case 'open': return target.name;
    default: return basename(target.path);
  }
}

/** @returns undefined where it is none, or comes from a later version */
export function parseTarget(value: unknown): Target | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { kind, path, script, name } = value as Readonly<Record<string, unknown>>;
  if (typeof path !== 'string' || !isAbsolute(path)) return undefined;
  if (kind === 'script' || kind === 'test') return { kind, path };
  if (kind === 'npm' && typeof script === 'string') return { kind, path, script };
  return (kind === 'launch' || kind === 'open') && typeof name === 'string' ? { kind, path, name } : undefined;
}
