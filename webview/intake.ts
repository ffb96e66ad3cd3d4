/**
 * From frames to the store. A frame that cannot be read, or one that went missing, is answered by saying `ready` again:
 * the host then sends everything from the start. After a few such rounds the page keeps what it has.
 */
import { decodeFrame } from '../src/model/frames';
import type { Comparison } from '../src/model/comparison';
import { PROTOCOL_VERSION, type Delta, type FromView, type Hello, type Lesson } from '../src/model/protocol';
import { parseComparison } from './compare/parse';
import { parseLesson } from './lesson/parse';
import { parseDelta, parseHello } from './store/parse';
import type { RunStore } from './store/run-store';

export interface IntakeEvents {
  onHello(hello: Hello): void;
  onDelta(delta: Delta): void;
  onLesson(lesson: Lesson): void;
  onComparison(comparison: Comparison): void;
  /** @param again whether the picture is asked for again */
  onBadFrame(reason: string, again: boolean): void;
  onOtherVersion(): void;
}

const MAX_ROUNDS = 3;

export class Intake {
  private expected = 0;
  private rounds = 0;

  constructor(private readonly store: RunStore, private readonly send: (message: FromView) => void, private readonly events: IntakeEvents) {}

  /** @param frame undefined where what came was no frame at all @param localTime `performance.now()` */
  receive(frame: ArrayBuffer | undefined, localTime: number): void {
    try {
      if (!frame) throw new Error('not a frame of Async Lanes');
      const message = decodeFrame(frame);
      if (message.type === 'hello') this.begin(parseHello(message));
      else if (message.type === 'delta') this.takeDelta(message, localTime);
      else if (message.type === 'comparison') this.events.onComparison(parseComparison(message));
      else this.events.onLesson(parseLesson(message));
    } catch (error) {
      this.startOver(error instanceof Error ? error.message : String(error));
    }
  }

  /** What comes is void until the host begins anew; unconfirmed, it soon sends no more. */
  stop(): void { this.expected = 0; }

  private begin(hello: Hello): void {
    if (hello.protocol !== PROTOCOL_VERSION) {
      this.expected = 0;
      this.events.onOtherVersion();
      return;
    }
    this.store.reset(hello);
    this.expected = 1;
    this.events.onHello(hello);
  }

  private takeDelta(message: Delta, localTime: number): void {
    // Before a hello, or on the way to a new one: void.
    if (this.expected === 0) return;
    const { delta, refused } = parseDelta(message);
    if (delta.seq !== this.expected && this.rounds < MAX_ROUNDS) throw new Error(`number ${delta.seq} came where ${this.expected} was due`);
    this.expected = delta.seq + 1;
    this.store.refused += refused;
    this.store.apply(delta, localTime);
    this.send({ type: 'ack', seq: delta.seq });
    this.events.onDelta(delta);
  }

  private startOver(reason: string): void {
    const again = ++this.rounds <= MAX_ROUNDS;
    this.events.onBadFrame(reason, again);
    if (!again) return;
    this.expected = 0;
    this.send({ type: 'ready' });
  }
}
