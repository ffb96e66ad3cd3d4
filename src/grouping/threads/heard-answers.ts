/**
 * Answers of other threads, in the order in which they came, and which of them are tasks that no promise stands for. Of several
 * answers to one message the last counts: that no more come is taken from the thread's going on with another one, begun behind
 * it. Where more comes all the same, the task lasts until then; and where a promise waits for that, it was none.
 */
import { isWhole, spanOf, type Errand, type Peer, type Span } from './errands';
import type { SilentAnswers } from './silent-answers';

/** An answer of another thread's. */
export interface Heard {
  readonly peer: Peer;
  /** Which of its messages it is, 0-based. */
  readonly answer: number;
  readonly time: number;
  /** The message that was sent for the promise which it settled; −1 where that is not known. */
  question: number;
  /** Whether a promise was settled by it, and when the latest one of these was made. */
  settles: boolean;
  since: number;
}

/** Tasks of one thread that may turn out to last longer. */
const MAX_TOLD = 256;

export class HeardAnswers {
  private waiting: Heard[] = [];

  constructor(private readonly silent: SilentAnswers) {}

  add(...heard: readonly Heard[]): void { this.waiting.push(...heard); }

  /**
   * @param isOver nothing more will come @param errands those that are not over
   * @param isBehind whether another thread has been read further than what this one made of its messages
   */
  judge(peers: Iterable<Peer>, isOver: boolean, errands: Iterable<Errand>, isBehind: (peer: Peer) => boolean): void {
    const waiting: Heard[] = [];
    for (const heard of this.waiting) {
      const { log } = heard.peer;
      if (heard.answer >= log.sent.length && !log.ended && !isOver) waiting.push(heard); else this.judgeOne(heard);
    }
    this.waiting = waiting;
    for (const peer of peers) {
      if (peer.log.ended && (isOver || !isBehind(peer)) && !peer.isJudged && !waiting.some((heard) => heard.peer === peer)) {
        peer.isJudged = true;
        this.tellLost(peer, errands);
      }
      if (isOver) for (const span of peer.silent.values()) this.tell(peer, span);
    }
  }

  private judgeOne({ peer, answer, time, question: asked, settles, since }: Heard): void {
    const span = spanOf(peer, asked, answer, time);
    const { question, start } = span;
    for (const other of peer.silent.values()) if (other.question !== question && other.end <= start) this.tell(peer, other);
    const told = peer.told.get(question);
    // The last of all answers settles what was promised for all of them.
    if (settles && !this.silent.isForAll(peer.messages[question]?.stack, since)) {
      peer.settled.add(question);
      peer.silent.delete(question);
      if (told) this.silent.takeBack(told);
      peer.told.delete(question);
    } else if (told) this.silent.goesOn(told, span.end);
    else if (question < 0 || !peer.settled.has(question)) peer.silent.set(question, span);
  }

  private tell(peer: Peer, { question, start, end }: Span): void {
    peer.silent.delete(question);
    // Before it was asked for anything, a thread that is asked later only says that it is there.
    if (question < 0 && (peer.posted > 0 || peer.errand?.isDrawn === true)) return;
    // Its exit was waited for, and what it had answered by then is a part of its work.
    if (peer.errand && isWhole(peer.errand)) return;
    // Started for one task of a library's, what it answers until that is over belongs to it.
    if ((peer.errand && isLibrarysTask(peer.errand) && !(peer.errand.node.ended < end)) || (peer.within && !(peer.within.end < end))) return;
    const sent = question < 0 ? peer.started : peer.messages[question];
    const task = sent && this.silent.add({ peer, stack: sent.stack, sent: sent.time, start, end, failed: false });
    if (!task || question < 0) return;
    peer.told.set(question, task);
    if (peer.told.size > MAX_TOLD) for (const oldest of peer.told.keys()) { peer.told.delete(oldest); break; }
  }

  /** A thread failed over a message that nobody answers any more. Where a promise stands for that, it tells so itself. */
  private tellLost(peer: Peer, errands: Iterable<Errand>): void {
    const { lost, endedAt, handled } = peer.log;
    if (peer.settled.has(lost) || !(lost in peer.messages)) return;
    for (const errand of errands) if (errand.peer === peer && errand.question === lost) return;
    for (const span of peer.silent.values()) this.tell(peer, span);
    const { stack, time } = peer.messages[lost];
    this.silent.add({ peer, stack, sent: time, start: handled[lost], end: endedAt, failed: true });
  }
}

const isLibrarysTask = ({ node: { task, libraryTask } }: Errand): boolean => (libraryTask ?? task)?.group?.facts.library !== undefined;
