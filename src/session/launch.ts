/** Starts a command with our own stdin (or a file as such), stdout and stderr, and stays out of its way until it ends. */
import { closeSync, openSync } from 'node:fs';
import { constants } from 'node:os';
import spawn from 'cross-spawn';
import { fileTrouble, Refusal } from './refusal';

export interface Command {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** Absolute path of the file that is its stdin; missing: our own. */
  readonly stdin?: string;
}

/** How a process ended: one of the two is there, or none where nobody saw the end. */
export interface Ending {
  readonly exitCode?: number;
  /** E.g. `SIGKILL`. */
  readonly signal?: string;
}

export interface TracedProcess {
  /** Undefined until it is known. */
  readonly pid: number | undefined;
  readonly ended: Promise<Ending>;
}

/** Time a signal to everybody (Ctrl-C, `timeout`) has to reach the child by itself before it is handed on. */
const HAND_ON_AFTER_MS = 100;

/** @throws Refusal where the command cannot be started at all. */
export async function launch(command: Command): Promise<TracedProcess> {
  const stdin = command.stdin === undefined ? 'inherit' : openInput(command.stdin);
  const child = spawn(command.file, [...command.args], { cwd: command.cwd, env: command.env, stdio: [stdin, 'inherit', 'inherit'] });
  // The child has its own by now.
  if (typeof stdin === 'number') closeSync(stdin);
  let over = false;
  const stopRelaying = relaySignals((signal) => { if (!over) child.kill(signal); });
  const ended = new Promise<Ending>((resolve) => {
    child.once('exit', (code, signal) => {
      over = true;
      stopRelaying();
      resolve(signal ? { signal } : { exitCode: code ?? undefined });
    });
  });
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', (error) => {
      stopRelaying();
      reject(new Refusal('no-command', `Cannot start ${command.file}: ${fileTrouble(error)}.`));
    });
  });
  return { pid: child.pid, ended };
}

/** @throws Refusal where it cannot be read */
function openInput(path: string): number {
  try {
    return openSync(path, 'r');
  } catch (error) {
    throw new Refusal('no-input', `Cannot read the input ${path}: ${fileTrouble(error)}.`);
  }
}

/** The exit status a shell gives to such an ending: the process's own, or 128 + the signal's number. */
export function exitStatus(ending: Ending): number {
  if (ending.signal === undefined) return ending.exitCode ?? 1;
  const numbers: Readonly<Record<string, number | undefined>> = constants.signals;
  return 128 + (numbers[ending.signal] ?? 0);
}

/**
 * Keeps signals from ending us before the child has ended, and hands on those that were meant for us alone. A terminal
 * sends Ctrl-C to the child as well: handing it on would interrupt the child twice.
 */
function relaySignals(send: (signal: NodeJS.Signals) => void): () => void {
  const handOn = (signal: NodeJS.Signals): void => { setTimeout(send, HAND_ON_AFTER_MS, signal); };
  const terminal = hasTerminal();
  const onInterrupt = (): void => { if (!terminal) handOn('SIGINT'); };
  process.on('SIGINT', onInterrupt);
  process.on('SIGTERM', handOn);
  process.on('SIGHUP', handOn);
  return () => {
    process.off('SIGINT', onInterrupt);
    process.off('SIGTERM', handOn);
    process.off('SIGHUP', handOn);
  };
}

/** Whether a terminal controls this process, wherever its stdin and stdout may lead. */
function hasTerminal(): boolean {
  if (process.platform === 'win32') return true;
  try {
    closeSync(openSync('/dev/tty', 'r'));
    return true;
  } catch {
    return false;
  }
}
