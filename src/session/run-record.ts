/** What is known of a run besides its facts, as it lies in `run.json`: beside the fact files, and in a trace. */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Refusal } from './refusal';

export const RUN_RECORD = 'run.json';
export const RECORD_VERSION = 1;
const MAX_RECORD_BYTES = 1 << 20;

export interface RunRecord {
  readonly format: 'async-lanes-run';
  readonly version: number;
  /** As the user would type it. */
  readonly command: readonly string[];
  readonly cwd: string;
  readonly pid?: number;
  /** Epoch milliseconds. */
  readonly startedAt: number;
  /** Epoch milliseconds; missing while it runs, or where nobody saw its end. */
  readonly endedAt?: number;
  readonly exitCode?: number;
  readonly signal?: string;
  /** True where the user stopped it. */
  readonly stopped?: boolean;
}

/** Whole or not at all: a reader never sees half a record. */
export function writeRunRecord(folder: string, record: RunRecord): void {
  const file = join(folder, RUN_RECORD);
  writeFileSync(`${file}.new`, JSON.stringify(record));
  renameSync(`${file}.new`, file);
}

/** @returns undefined where the folder has none (yet). @throws Refusal where it has one that is no such record. */
export function readRunRecord(folder: string): RunRecord | undefined {
  let bytes: Buffer;
  try {
    bytes = readFileSync(join(folder, RUN_RECORD));
  } catch {
    return undefined;
  }
  return parseRunRecord(bytes);
}

/** @throws Refusal with a sentence where the bytes are no run record this version can read. */
export function parseRunRecord(bytes: Uint8Array): RunRecord {
  const damaged = new Refusal('damaged-record', `Its ${RUN_RECORD} is damaged.`);
  if (bytes.length > MAX_RECORD_BYTES) throw damaged;
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    throw damaged;
  }
  if (!isRecord(value) || value['format'] !== 'async-lanes-run') throw damaged;
  const { version, command, cwd, startedAt } = value;
  if (typeof version !== 'number' || version > RECORD_VERSION) {
    throw new Refusal('newer-record', 'It was recorded by a newer version of Async Lanes.');
  }
  if (!Array.isArray(command) || !command.every((word) => typeof word === 'string') || typeof cwd !== 'string' || !isTime(startedAt)) throw damaged;
  const { pid, endedAt, exitCode, signal, stopped } = value;
  return {
    format: 'async-lanes-run', version, command, cwd, startedAt,
    pid: Number.isSafeInteger(pid) ? Number(pid) : undefined,
    endedAt: isTime(endedAt) ? endedAt : undefined,
    exitCode: Number.isSafeInteger(exitCode) ? Number(exitCode) : undefined,
    signal: typeof signal === 'string' ? signal.slice(0, 20) : undefined,
    stopped: stopped === true,
  };
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null && !Array.isArray(value);
const isTime = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value) && value >= 0;
