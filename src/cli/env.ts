/** `async-lanes env`: the environment under which a Node process started by hand records. */
import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { traceVariables } from '../session/environment';
import { fileTrouble, Refusal } from '../session/refusal';
import { say } from './say';

/** @param dist absolute path of the folder the bundles lie in */
export function printEnvironment(dist: string, { trace, json }: { readonly trace?: string; readonly json?: boolean }): void {
  const folder = makeFolder(trace);
  const variables = traceVariables(process.env, { agent: join(dist, 'agent.cjs'), folder });
  if (json) process.stdout.write(`${JSON.stringify(variables, undefined, 2)}\n`);
  else for (const [name, value] of Object.entries(variables)) process.stdout.write(`export ${name}=${quoteForShell(value)}\n`);
  if (trace === undefined) say(`Node processes will record into ${folder}; async-lanes report ${folder} reads it`);
}

function makeFolder(wanted: string | undefined): string {
  try {
    if (wanted === undefined) return mkdtempSync(join(tmpdir(), 'async-lanes-'));
    mkdirSync(wanted, { recursive: true });
    return resolve(wanted);
  } catch (error) {
    throw new Refusal('no-folder', `Cannot record into ${wanted ?? tmpdir()}: ${fileTrouble(error)}.`);
  }
}

/** Nothing in single quotes means anything to a shell, but a single quote. */
const quoteForShell = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
