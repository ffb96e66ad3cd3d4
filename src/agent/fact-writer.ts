/** Fact records into a file, 64 KiB at a time; what cannot be written is counted, never thrown. */
import fs from 'node:fs';
import { Fact, MAX_TEXT_BYTES, RECORD_BYTES, TextKind } from '../model/facts';

// Taken now: a program may later put a file system of its own in their place.
const { closeSync, openSync, writeSync } = fs;

const BATCH_BYTES = 1 << 16;
const WORDS = RECORD_BYTES >> 2;

export class FactWriter {
  private readonly bytes = Buffer.allocUnsafeSlow(BATCH_BYTES);
  private readonly words = new Uint32Array(this.bytes.buffer);
  private readonly times = new Float64Array(this.bytes.buffer);
  /** Next free word. */
  private at = 0;
  private dropped = 0;
  private file: number;
  /** Once the process is in its exit handlers nobody flushes for us any more. */
  private direct = false;

  /** @throws where the file cannot be made. */
  constructor(path: string) {
    this.file = openSync(path, 'a');
  }

  get isEmpty(): boolean { return this.at === 0; }

  record(type: number, flags: number, id: number, a: number, b: number, time: number, c: number, d: number): void {
    let at = this.at;
    if (at + WORDS > BATCH_BYTES >> 2) { this.flush(); at = 0; }
    const { words } = this;
    words[at] = type | (flags << 8);
    words[at + 1] = id;
    words[at + 2] = a;
    words[at + 3] = b;
    this.times[(at >> 1) + 2] = time;
    words[at + 6] = c;
    words[at + 7] = d;
    this.at = at + WORDS;
    if (this.direct) this.flush();
  }

  /** A frame has two numbers where others have the time. */
  frame(flags: number, id: number, file: number, name: number, line: number, column: number, startLine: number, startColumn: number): void {
    this.record(Fact.frame, flags, id, file, name, 0, line, column);
    // `record` may have written it out already (direct): then the start is lost, which only costs the function's place.
    if (this.at < WORDS) return;
    this.words[this.at - 4] = startLine;
    this.words[this.at - 3] = startColumn;
  }

  text(kind: number, id: number, text: string): void {
    let bytes = Buffer.from(text, 'utf8');
    if (bytes.length > MAX_TEXT_BYTES) bytes = kind === TextKind.hello ? Buffer.alloc(0) : bytes.subarray(0, MAX_TEXT_BYTES);
    const padded = Math.ceil(bytes.length / RECORD_BYTES) * RECORD_BYTES;
    const direct = this.direct;
    this.direct = false;
    if (this.at * 4 + RECORD_BYTES + padded > BATCH_BYTES) this.flush();
    if (RECORD_BYTES + padded > BATCH_BYTES) {
      this.record(Fact.text, kind, id, bytes.length, 0, 0, 0, 0);
      this.flush();
      this.write(Buffer.concat([bytes, Buffer.alloc(padded - bytes.length)]));
    } else {
      this.record(Fact.text, kind, id, bytes.length, 0, 0, 0, 0);
      this.bytes.fill(0, this.at * 4, this.at * 4 + padded);
      bytes.copy(this.bytes, this.at * 4);
      this.at += padded >> 2;
    }
    this.direct = direct;
    if (direct) this.flush();
  }

  flush(): void {
    if (this.at === 0) return;
    const whole = this.bytes.subarray(0, this.at * 4);
    this.at = 0;
    if (!this.write(whole)) this.dropped += whole.length / RECORD_BYTES;
    else if (this.dropped > 0) {
      const { dropped } = this;
      this.dropped = 0;
      this.record(Fact.dropped, 0, 0, dropped, 0, 0, 0, 0);
    }
  }

  /** From now on every record goes straight to the file. */
  goDirect(): void {
    this.flush();
    this.direct = true;
  }

  close(): void {
    this.flush();
    try { closeSync(this.file); } catch { /* nothing to be done about it in somebody else's process */ }
    this.file = -1;
  }

  private write(bytes: Buffer): boolean {
    try {
      let from = 0;
      while (from < bytes.length) from += writeSync(this.file, bytes, from);
      return true;
    } catch {
      return false;
    }
  }
}
