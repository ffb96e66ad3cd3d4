/**
 * Fact records into a file: once no more have come for a millisecond, and after sixteen at the latest. What cannot be written waits
 * for room and, where there is none left to wait in, is counted; nothing is ever thrown, and no record is torn for good.
 */
import fs from 'node:fs';
import timers from 'node:timers';
import { Fact, MAX_TEXT_BYTES, RECORD_BYTES, TextKind } from '../model/facts';

// Taken now: a program may later put a file system or timers of its own in their place.
const { closeSync, fstatSync, openSync, writeSync } = fs;
const { setTimeout, clearTimeout } = timers;

/** Written out when so much has come in. */
const BATCH_BYTES = 1 << 16;
/** A batch, and the longest text on top of it. */
const BUFFER_BYTES = 2 * BATCH_BYTES + RECORD_BYTES;
const WORDS = RECORD_BYTES >> 2;
/** A thread writes no more than this, so that no run fills a disk: a hundred million facts, more than a host takes in at once. */
const MAX_FILE_BYTES = 4 * 2 ** 30;
/** Milliseconds that facts wait, while the event loop turns, for more to come: few cost as much to write as many (50 µs). */
const QUIET_MS = 1;
/** Milliseconds that they wait at most where more come all the time, or the event loop has no turn: what a kill may cost. */
const BUSY_MS = 16;

export class FactWriter {
  private readonly bytes = Buffer.allocUnsafeSlow(BUFFER_BYTES);
  private readonly words = new Uint32Array(this.bytes.buffer);
  private readonly times = new Float64Array(this.bytes.buffer);
  /** Next free word, and bytes of the buffer that are in the file already: it took only part of a batch. */
  private at = 0;
  private written = 0;
  private dropped = 0;
  /** Bytes the file may still take. */
  private room: number;
  private file: number;
  private readonly inode: number;
  private readonly device: number;
  /** Once the process is in its exit handlers nobody flushes for us any more. */
  private direct = false;
  private readonly timer: NodeJS.Timeout;
  private waits = false;
  /** How often the timer has found that more had come, and the next free word when it last looked. */
  private delays = 0;
  private atLastLook = 0;
  private dueAt = 0;

  /** @throws where the file cannot be made, or is there: this thread has an agent, and the program has loaded one more. */
  constructor(path: string, maxBytes = MAX_FILE_BYTES) {
    this.room = maxBytes;
    this.file = openSync(path, 'ax');
    const { ino, dev } = fstatSync(this.file);
    this.inode = ino;
    this.device = dev;
    this.timer = setTimeout(() => {
      if (this.at > this.atLastLook && ++this.delays < BUSY_MS / QUIET_MS) this.wait();
      else {
        this.waits = false;
        this.flush();
      }
    }, QUIET_MS).unref();
  }

  record(type: number, flags: number, id: number, a: number, b: number, time: number, c: number, d: number): void {
    if (this.at >= BATCH_BYTES >> 2 && !this.makeRoom()) return;
    this.put(type, flags, id, a, b, time, c, d);
    this.came();
  }

  /** A frame has two numbers where others have the time. */
  frame(flags: number, id: number, file: number, name: number, line: number, column: number, startLine: number, startColumn: number): void {
    if (this.at >= BATCH_BYTES >> 2 && !this.makeRoom()) return;
    const { at } = this;
    this.put(Fact.frame, flags, id, file, name, 0, line, column);
    this.words[at + 4] = startLine;
    this.words[at + 5] = startColumn;
    this.came();
  }

  text(kind: number, id: number, text: string): void {
    let bytes = Buffer.from(text, 'utf8');
    if (bytes.length > MAX_TEXT_BYTES) bytes = kind === TextKind.hello ? Buffer.alloc(0) : bytes.subarray(0, MAX_TEXT_BYTES);
    if (this.at >= BATCH_BYTES >> 2 && !this.makeRoom()) return;
    this.put(Fact.text, kind, id, bytes.length, 0, 0, 0, 0);
    const end = this.at * 4 + Math.ceil(bytes.length / RECORD_BYTES) * RECORD_BYTES;
    this.bytes.fill(0, this.at * 4, end);
    bytes.copy(this.bytes, this.at * 4);
    this.at = end >> 2;
    this.came();
  }

  flush(): void {
    if (this.at === 0 || !this.write(this.at * 4)) return;
    this.at = this.written = 0;
    if (this.dropped > 0) {
      const { dropped } = this;
      this.dropped = 0;
      this.record(Fact.dropped, 0, 0, dropped, 0, 0, 0, 0);
    }
  }

  /** To be called now and then: tries again what could not be written, which no timer waits for any more. */
  retry(): void { if (!this.waits) this.flush(); }

  /** For a thread whose event loop has no turn: to be called where the clock was read. @param now milliseconds */
  flushIfDue(now: number): void {
    if (now < this.dueAt) return;
    this.dueAt = now + BUSY_MS;
    this.flush();
  }

  /** From now on every record goes straight to the file, and there is room for it: what is said last is how it ended. */
  goDirect(): void {
    this.room = Infinity;
    this.flush();
    this.direct = true;
  }

  close(): void {
    this.flush();
    clearTimeout(this.timer);
    try { closeSync(this.file); } catch { /* nothing to be done about it in somebody else's process */ }
    this.file = -1;
  }

  private put(type: number, flags: number, id: number, a: number, b: number, time: number, c: number, d: number): void {
    const { at, words } = this;
    words[at] = type | (flags << 8);
    words[at + 1] = id;
    words[at + 2] = a;
    words[at + 3] = b;
    this.times[(at >> 1) + 2] = time;
    words[at + 6] = c;
    words[at + 7] = d;
    this.at = at + WORDS;
  }

  /** A record or text was put: it is written once there is nothing more to wait for. */
  private came(): void {
    if (this.direct) this.flush();
    else if (!this.waits) {
      this.waits = true;
      this.delays = 0;
      this.wait();
    }
  }

  private wait(): void {
    this.atLastLook = this.at;
    this.timer.refresh();
  }

  /** @returns whether there is room for one record or text more; where there is none, it counts as dropped */
  private makeRoom(): boolean {
    this.flush();
    if (this.at < BATCH_BYTES >> 2) return true;
    this.dropped++;
    return false;
  }

  /** @param end bytes of the buffer @returns whether all of them are in the file; what is not is tried again the next time */
  private write(end: number): boolean {
    if (end > this.room) return false;
    try {
      // A program may close what it did not open; what it opens next has the same number.
      const { ino, dev } = fstatSync(this.file);
      if (ino !== this.inode || dev !== this.device) return false;
      while (this.written < end) this.written += writeSync(this.file, this.bytes, this.written, end - this.written);
      this.room -= end;
      return true;
    } catch {
      return false;
    }
  }
}
