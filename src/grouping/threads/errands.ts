/** What one thread sends for and another one does: which message asked for it, which one brought the answer, and when it was at work there. */
import type { TaskDraft } from '../drafts';
import { countUntil, type PeerLog } from './peer-log';
import type { LoopEntries } from '../promises/loop-entries';
import type { Stack } from '../promises/places';
import type { PromiseNode } from '../promises/promise-node';

/** How long before a task's end its answer comes at the earliest, so that nothing was done after. */
const AT_LAST_MS = 2;
/** And on a busy machine, where nothing was waited for behind the answer. */
const LATE_MS = 10;

/** A thread or process that this one started. */
export interface Peer {
  readonly log: PeerLog;
  posted: number;
  received: number;
  /** Those that were started at the same place. */
  readonly kind: PeerKind;
  /** Where it was started, and when; where each message to it was sent, and when. */
  readonly started: Sent;
  readonly messages: Sent[];
  /** The promise it was started for. */
  errand: Errand | undefined;
  /** The library's task whose function started it, where no promise leads to that. */
  readonly within: TaskDraft | undefined;
  /** The promise that the latest message was sent for. */
  askedFor: Errand | undefined;
  /** When the latest of its messages arrived, in milliseconds after the run's `timeOrigin`; −Infinity where none has. */
  heardAt: number;
  /** When a task failed over its silence, and it was asked for nothing since; NaN otherwise. */
  goneAt: number;
  /** How many messages nobody answers, as far as answers are known by what they settled; Infinity as long as none is. */
  unanswered: number;
  /** Whether a promise was settled as a message of its was handled. */
  settles: boolean;
  /** Messages whose answers settled a promise. */
  readonly settled: Set<number>;
  /** The latest answers that settled no promise, by their messages: more may come to the same. */
  readonly silent: Map<number, Span>;
  /** The latest tasks that such answers were taken for, by their messages. */
  readonly told: Map<number, TaskDraft>;
  /** Whether it is judged what it left undone. */
  isJudged: boolean;
}
/** Threads and processes started at one place. */
export interface PeerKind {
  /** Whether one of them has sent something. */
  hasSpoken: boolean;
}
/** An answer: to which message (0-based; −1 where it was sent unasked), and when it was at work on that. Milliseconds after the run's `timeOrigin`. */
export interface Span { readonly question: number; readonly start: number; readonly end: number }
export interface Sent { readonly stack: Stack | undefined; readonly time: number }

/** A promise whose work is another thread's. */
export interface Errand {
  readonly peer: Peer;
  readonly node: PromiseNode;
  /** What it is drawn as, kept from when its promises are forgotten on. */
  task: TaskDraft | undefined;
  /** 0-based number of the message it was asked for by; −1 where that is not known. */
  question: number;
  /** 0-based number of the answer that settled it; −1 where it was not settled by one. */
  answer: number;
  answeredAt: number;
  /** Whether others were started, or asked, for the same promise. */
  isShared: boolean;
  /** Whether a task is drawn by it. */
  isDrawn: boolean;
  /** In the other thread; NaN as long as it is not known. */
  start: number;
  end: number;
}

/** @param loop of the thread that sent for it @returns whether it is known when and where the task was at work */
export function locate(task: TaskDraft, errand: Errand, loop: LoopEntries): boolean {
  if (!(errand.start >= task.start)) return false;
  const behind = task.end - errand.answeredAt;
  const isLast = errand.answer < 0 || behind <= AT_LAST_MS || (behind <= LATE_MS && !loop.hasComeBetween(errand.node.ended, task.end));
  const end = isLast && errand.end >= errand.start && errand.end <= task.end ? errand.end : task.end;
  if (end < errand.start) return false;
  task.elsewhere = { start: errand.start, end, lane: task.elsewhere?.lane ?? 0 };
  return true;
}

/** @returns whether all is known that will be */
export function resolve(errand: Errand): boolean {
  const { peer: { log }, question, answer, node } = errand;
  if (answer < 0) {
    if (onlyGotReady(errand)) {
      errand.start = errand.end = NaN;
      return true;
    }
    const isAsked = question >= 0;
    if (node.isPending || !(isAsked ? question < log.handled.length : log.isBegun || log.ended)) return false;
    const isAll = isWhole(errand);
    errand.start = isAll ? node.made : isAsked ? log.handled[question] : log.begun;
    // Nobody waited for its answer, but for its exit: its work was done when it had sent it.
    errand.end = !isAll && log.handled.length === 0 && log.sent.length > 0 ? log.sent[log.sent.length - 1] : NaN;
    return log.ended;
  }
  // A thread that was ended from outside has not said all it did: then the answer's arrival has to do.
  const isTold = answer < log.sent.length;
  if (question >= 0) errand.peer.unanswered = Math.max(0, Math.min(errand.peer.unanswered, question - answer));
  const span = spanOf(errand.peer, question, answer, errand.answeredAt);
  const isUnasked = span.question < 0;
  // It only said that it is there: to wait for that is no work of the thread's.
  if (isUnasked && answersLater(log)) {
    errand.start = errand.end = NaN;
    return true;
  }
  errand.end = isTold ? log.sent[answer] : errand.answeredAt;
  errand.start = span.start;
  return (isTold && !isUnasked) || log.ended;
}

/** Whether a thread was started for it and asked nothing for it, and others had it work once that was through. */
const onlyGotReady = ({ node, peer: { messages }, question }: Errand): boolean => question < 0 && !node.isPending && messages.length > 0 && messages[messages.length - 1].time > node.ended;

/** Whether a thread was asked for something, and answered. */
const answersLater = ({ handled, sent }: PeerLog): boolean => handled.length > 0 && sent.length > 0 && sent[sent.length - 1] >= handled[0];

/**
 * Whether it was started for this alone, and its end was waited for, nothing else that it says: its coming and going is a part of the work. That is a process, asked for
 * no more than one thing; or a thread, too, where none like it was asked or says anything but by its end, which those that are ended from outside do not.
 */
export const isWhole = (errand: Errand): boolean => {
  const { answer, isShared, node, peer: { errand: first, kind, log, posted, settles }, question } = errand;
  if (first !== errand || isShared || settles || answer >= 0 || node.isPending || posted !== question + 1) return false;
  return (question <= 0 && log.threadId === 0 && log.ended) || (question < 0 && !kind.hasSpoken);
};

/** What an answer stands for. @param question the message it is to; −1 where that is not known @param answeredAt when it arrived */
export function spanOf({ log, unanswered }: Pick<Peer, 'log' | 'unanswered'>, question: number, answer: number, answeredAt: number): Span {
  const end = answer < log.sent.length ? log.sent[answer] : answeredAt;
  const before = countUntil(log.handled, end);
  const unasked = log.handled.length === 0 ? 0 : countUntil(log.sent, log.handled[0]);
  const told = log.answered[answer] ?? -1;
  const asked = told >= 0 ? told : question >= 0 && question < before ? question : Math.max(-1, Math.min(answer - unasked + (unanswered === Infinity ? 0 : unanswered), before - 1));
  const start = asked >= 0 ? log.handled[asked] : log.begun;
  return { question: asked, start: log.begunAt[answer] > start ? log.begunAt[answer] : start, end };
}
