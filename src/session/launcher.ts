/**
 * `node launcher.js <folder> <cwd> [<input>] -- <command> [args…]`: stands between a terminal and the command that runs in it, and notes
 * in `<folder>/run.json` when the command begins and how it ends, which a terminal does not tell. It sets the agent's environment
 * itself: a terminal may put variables of its own on top of those it is given, and the launcher must not be watched. And it goes
 * to `cwd` itself: in a window without a folder VS Code lets terminals begin in the user's home only. A file `input` is the
 * command's stdin, which a task of VS Code has no way to name.
 */
import { join } from 'node:path';
import { tracedEnvironment } from './environment';
import { exitStatus, launch } from './launch';
import { Refusal } from './refusal';
import { RECORD_VERSION, writeRunRecord, type RunRecord } from './run-record';

async function main(): Promise<number> {
  const words = process.argv.slice(2);
  const separator = words.indexOf('--');
  const [folder, cwd, stdin] = words.slice(0, separator);
  const [file, ...args] = words.slice(separator + 1);
  if (separator !== 2 && separator !== 3 || file === undefined) throw new Refusal('wrong-call', 'launcher.js <folder> <cwd> [<input>] -- <command> [args…]');
  const child = await launch({ file, args, cwd, stdin, env: tracedEnvironment(process.env, { agent: join(__dirname, 'agent.cjs'), folder }) });
  const begun: RunRecord = {
    format: 'async-lanes-run', version: RECORD_VERSION, command: [file, ...args], cwd, pid: child.pid, startedAt: Date.now(),
  };
  note(folder, begun);
  const ending = await child.ended;
  note(folder, { ...begun, ...ending, endedAt: Date.now() });
  return exitStatus(ending);
}

/** A folder that was deleted, or a full disk, must not stop the user's command. */
function note(folder: string, record: RunRecord): void {
  try {
    writeRunRecord(folder, record);
  } catch { /* The host sees the terminal end, and tells how from the facts. */ }
}

main().then((status) => { process.exitCode = status; }, (error: unknown) => {
  process.stderr.write(`Async Lanes: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 2;
});
