/**
 * Reads trace events out of JSON as it comes, however long it is: an array of events, or an object that has one as `traceEvents`.
 * Only fields that lanes are made of are kept of an event; what is nested in it otherwise is skipped over, whatever its depth.
 * The format: https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU
 */
import { Tokenizer, TokenType } from '@streamparser/json';

type Scalar = string | number | boolean | null;

/** As it stands in the file; nothing of it is judged yet. */
export interface TraceEvent {
  /** Fields of the event itself whose values are no objects. */
  readonly fields: Readonly<Record<string, Scalar>>;
  /** Those of its `args`, and of objects in them as `<name>.<field>`. */
  readonly args: Readonly<Record<string, Scalar>>;
  /** Those of its `id2`. */
  readonly id2: Readonly<Record<string, Scalar>>;
}

/** Deeper than this nothing is JSON that somebody wrote; no event is. */
const MAX_DEPTH = 10_000;
/** Of one event: more fields than any tool writes. */
const MAX_FIELDS = 64;
const STRING_BUFFER = 1 << 16;
const FIELDS: ReadonlySet<string> = new Set(['ph', 'ts', 'dur', 'pid', 'tid', 'id', 'cat', 'name']);

interface Level { readonly isArray: boolean; key: string }

export class TraceEventReader {
  private readonly tokenizer = new Tokenizer({ stringBufferSize: STRING_BUFFER });
  private readonly levels: Level[] = [];
  /** Depth of the array of events once it has been found. */
  private eventsAt = -1;
  private hasEvents = false;
  private isKey = false;
  private event = emptyEvent();
  private count = 0;
  private problem: Error | undefined;
  private isOver = false;

  constructor(private readonly onEvent: (event: TraceEvent) => void) {
    this.tokenizer.onToken = ({ token, value }) => { this.take(token, value); };
    this.tokenizer.onError = (error) => { this.problem ??= error; };
  }

  /** Whether the array of events has begun. */
  get foundEvents(): boolean { return this.hasEvents; }
  /** Whether the JSON has come to its end. */
  get isComplete(): boolean { return this.isOver; }

  /** @throws Error where the bytes are no JSON, or nested too deep */
  write(bytes: Uint8Array): void {
    if (this.isComplete) return;
    this.tokenizer.write(bytes);
    if (this.problem) throw this.problem;
  }

  private take(token: TokenType, value: unknown): void {
    if (this.isOver) return;
    switch (token) {
      case TokenType.LEFT_BRACE: case TokenType.LEFT_BRACKET: return this.open(token === TokenType.LEFT_BRACKET);
      case TokenType.RIGHT_BRACE: case TokenType.RIGHT_BRACKET: return this.close();
      case TokenType.COLON: this.isKey = false; return;
      case TokenType.COMMA: this.isKey = this.levels.at(-1)?.isArray === false; return;
      case TokenType.STRING:
        if (this.isKey) this.setKey(String(value)); else this.scalar(String(value));
        return;
      case TokenType.NUMBER: return this.scalar(Number(value));
      case TokenType.TRUE: return this.scalar(true);
      case TokenType.FALSE: return this.scalar(false);
      case TokenType.NULL: return this.scalar(null);
      default: return;
    }
  }

  private open(isArray: boolean): void {
    const { levels } = this;
    if (levels.length >= MAX_DEPTH) throw new Error(`it is nested deeper than ${MAX_DEPTH} levels`);
    const isEvents = isArray && !this.hasEvents && (levels.length === 0 || (levels.length === 1 && levels[0].key === 'traceEvents'));
    if (isEvents) {
      this.hasEvents = true;
      this.eventsAt = levels.length;
    }
    levels.push({ isArray, key: '' });
    this.isKey = !isArray;
  }

  private close(): void {
    const { levels } = this;
    levels.pop();
    this.isKey = false;
    // What follows the end of the JSON is none of ours.
    if (levels.length === 0) this.isOver = true;
    if (levels.length === this.eventsAt) this.eventsAt = -1;
    else if (this.eventsAt >= 0 && levels.length === this.eventsAt + 1) {
      this.onEvent(this.event);
      this.event = emptyEvent();
      this.count = 0;
    }
  }

  private setKey(key: string): void {
    const level = this.levels.at(-1);
    if (level) level.key = key;
  }

  private scalar(value: Scalar): void {
    if (this.eventsAt < 0) return;
    const depth = this.levels.length - this.eventsAt;
    if (depth < 2 || depth > 4 || this.levels[this.levels.length - 1].isArray || this.count >= MAX_FIELDS) return;
    const [, event, inner, innermost] = this.levels.slice(this.eventsAt);
    const { fields, args, id2 } = this.event;
    if (depth === 2) {
      if (FIELDS.has(event.key)) this.set(fields, event.key, value);
    } else if (event.key === 'args') {
      this.set(args, depth === 3 ? inner.key : `${inner.key}.${innermost.key}`, value);
    } else if (event.key === 'id2' && depth === 3) {
      this.set(id2, inner.key, value);
    }
  }

  private set(target: Record<string, Scalar>, key: string, value: Scalar): void {
    this.count++;
    target[key] = value;
  }
}

interface OpenEvent { readonly fields: Record<string, Scalar>; readonly args: Record<string, Scalar>; readonly id2: Record<string, Scalar> }
/** Without a prototype: keys come from outside. */
const bare = (): Record<string, Scalar> => Object.create(null) as Record<string, Scalar>;
const emptyEvent = (): OpenEvent => ({ fields: bare(), args: bare(), id2: bare() });
