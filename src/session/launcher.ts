/**
 * `node launcher.js <folder> <cwd> -- <command> [args…]`: stands between a terminal and the command that runs in it, and notes
 * in `<folder>/run.json` when the command begins and how it ends, which a terminal does not tell. It sets the agent's environment
 * itself: a terminal may put variables of its own on top of those it is given, and the launcher must not be watched. And it goes
 * to `cwd` itself: in a window without a folder VS Code lets terminals begin in the user's home only.
 */
import { join } from 'node:path';
import { tracedEnvironment } from './environment';
import { exitStatus, launch } from './launch';
import { Refusal } from './refusal';
import { RECORD_VERSION, writeRunRecord, type RunRecord } from './run-record';

async function main(): Promise<number> {
  const [folder, cwd, separator, file, ...args] = process.argv.slice(2);
  if (file === undefined || separator !== '--') throw new Refusal('wrong-call', 'launcher.js <folder> <cwd> -- <command> [args…]');
  const child = await launch({ file, args, cwd, env: tracedEnvironment(process.env, { agent: join(__dirname, 'agent.cjs'), folder }) });
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
