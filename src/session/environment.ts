/** The environment under which a Node process, its workers and its children load the agent. */
import { AgentEnv, type Hello } from '../model/facts';

export type Backend = Hello['backend'];

export interface TraceSettings {
  /** Absolute path of the bundled agent. */
  readonly agent: string;
  /** Absolute path of the folder its fact files go to. */
  readonly folder: string;
  /** Left out: the agent's own default. */
  readonly backend?: Backend;
}

/** The option that loads an agent: of a bundle, or of a copy that outlives it. */
const AGENT = /(?:^|\s)--require "(?:[^"\\]|\\.)*[\\/]agent(?:-[0-9a-f]{16})?\.cjs"(?=\s|$)/g;

/** What has to be set on top of `base`; everything the user had in NODE_OPTIONS stays, after ours. */
export function traceVariables(base: NodeJS.ProcessEnv, settings: TraceSettings): Record<string, string> {
  const load = `--require ${quoteForNode(settings.agent)}`;
  const own = base['NODE_OPTIONS'] ?? '';
  // A run inside a recorded terminal: with the agent of that one loaded as well, both would write one file.
  const others = base[AgentEnv.folder] === undefined ? own : own.replace(AGENT, ' ');
  return {
    NODE_OPTIONS: `${load} ${others.replaceAll(load, '').trim()}`.trim(),
    [AgentEnv.folder]: settings.folder,
    ...(settings.backend ? { [AgentEnv.backend]: settings.backend } : {}),
  };
}

export function tracedEnvironment(base: NodeJS.ProcessEnv, settings: TraceSettings): NodeJS.ProcessEnv {
  return { ...base, ...traceVariables(base, settings) };
}

/** NODE_OPTIONS splits at spaces outside double quotes, and takes a backslash in them for an escape. */
function quoteForNode(path: string): string {
  const slashed = process.platform === 'win32' ? path.replaceAll('\\', '/') : path.replaceAll('\\', '\\\\');
  return `"${slashed.replaceAll('"', '\\"')}"`;
}
