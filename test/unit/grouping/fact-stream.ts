/** Facts by hand, as bytes of a fact file. Times are milliseconds after the thread's own start. */
import { Fact, FACT_VERSION, RECORD_BYTES, RootKind, TextKind, type Hello } from '../../../src/model/facts';

export const ORIGIN = 1_700_000_000_000;

export class FactStream {
  private readonly parts: Buffer[] = [];
  private strings = 0;
  private frames = 0;
  private stacks = 0;

  constructor(hello: Partial<Hello> = {}) {
    this.text(TextKind.hello, 0, JSON.stringify({
      version: FACT_VERSION, pid: 1, ppid: 0, threadId: 0, timeOrigin: ORIGIN, node: 'v24.0.0', backend: 'v8', argv: ['node', 'a.mjs'], cwd: '/', ...hello,
    }));
  }

  get bytes(): Buffer { return Buffer.concat(this.parts); }

  /** One frame in a file of the user's (or `file`); returns the stack's number. @param start line at which the enclosing function begins */
  stack(line: number, start: number, callers = 0, file = '/work/a.mjs', name = ''): number {
    this.text(TextKind.string, ++this.strings, file);
    const fileId = this.strings;
    if (name) this.text(TextKind.string, ++this.strings, name);
    const frame = this.record(Fact.frame, 0, ++this.frames, fileId, name ? this.strings : 0, 0, line, 1);
    frame.writeUInt32LE(start, 16);
    frame.writeUInt32LE(1, 20);
    this.record(Fact.stack, 0, ++this.stacks, callers, this.frames, 0, 0, 0);
    return this.stacks;
  }

  /** @returns the text's number */
  string(text: string): number {
    this.text(TextKind.string, ++this.strings, text);
    return this.strings;
  }

  call(id: number, stack: number, owner: number, tick: number, time: number, kind: number = RootKind.asyncFunction): void {
    this.record(Fact.root, kind, id, stack, owner, time, tick, 0);
  }

  all(id: number, stack: number, owner: number, tick: number, time: number, elements: readonly number[], kind: number = RootKind.all): void {
    this.record(Fact.root, kind, id, stack, owner, time, tick, 0);
    elements.forEach((element, index) => { this.record(Fact.element, 0, id, element, index, 0, 0, 0); });
    this.record(Fact.gathered, 0, id, elements.length, 0, 0, 0, 0);
  }

  consumed(id: number, by: number): void { this.record(Fact.consumed, 0, id, by, 0, 0, 0, 0); }
  settled(id: number, time: number, by = 0, tick = 0): void { this.record(Fact.settled, 0, id, by, 0, time, tick, 0); }
  rejected(id: number): void { this.record(Fact.rejected, 0, id, 0, 0, 0, 0, 0); }

  record(type: number, flags: number, id: number, a: number, b: number, time: number, c: number, d: number): Buffer {
    const bytes = Buffer.alloc(RECORD_BYTES);
    bytes.writeUInt8(type, 0);
    bytes.writeUInt8(flags, 1);
    for (const [offset, value] of [[4, id], [8, a], [12, b], [24, c], [28, d]]) bytes.writeUInt32LE(value, offset);
    bytes.writeDoubleLE(time, 16);
    this.parts.push(bytes);
    return bytes;
  }

  private text(kind: number, id: number, text: string): void {
    const bytes = Buffer.from(text);
    this.record(Fact.text, kind, id, bytes.length, 0, 0, 0, 0);
    this.parts.push(bytes, Buffer.alloc((RECORD_BYTES - (bytes.length % RECORD_BYTES)) % RECORD_BYTES));
  }
}
