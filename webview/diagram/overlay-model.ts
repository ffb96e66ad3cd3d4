/** What stands over the bars of one group: frames, titles, outlined bars, the callout, the bracket. Pure: numbers in, pixels out. */
import type { GroupTasks } from '../store/group-tasks';
import { spanEnd, type Span } from '../store/span';
import { formatCount, formatMs } from '../format';
import type { Speak } from '../words/speak';
import { idleOf } from './idle-stretch';
import { barTop, CALLOUT_LINE, isHidden, type Geometry } from './geometry';
import type { Viewport } from './viewport';

export interface FrameMark { key: number; x0: number; x1: number; y0: number; y1: number; title: string; titleX: number; duration: string }
/** A bar with an outline: the longest of its frame, the winner of a race, or the task the keyboard is at. */
export interface BarMark { key: number; look: 'longest' | 'winner' | 'focus' | 'culprit' | 'queued'; x: number; y: number; width: number; height: number }
export interface CalloutMark { key: number; x0: number; x1: number; y: number; barX: number; barY: number; lines: readonly string[]; textX: number; textY: number; anchor: 'middle' | 'start' }
export interface OverlayModel {
  frames: FrameMark[];
  bars: BarMark[];
  callouts: CalloutMark[];
  /** What the numbers in the title row are, where titles are only numbers; else empty. */
  titleWord: string;
}

export interface OverlayInput {
  readonly group: GroupTasks;
  readonly geometry: Geometry;
  readonly viewport: Viewport;
  readonly origin: number;
  readonly now: number;
  readonly hasCallout: boolean;
  /** Whether the longest task of every chunk is outlined, however many there are. */
  readonly outlinesAll: boolean;
  readonly speak: Speak;
  /** Tasks that have been told of long ago are still coming in: how long a frame is, nobody knows yet. */
  readonly isFilling?: boolean;
  /** Pixels a title takes. */
  readonly measure: (text: string) => number;
}

/** Narrower frames are left out: their dashes would be all there is to see. */
const LEAST_FRAME = 4;
/** A frame that leaves the plot is drawn this much beyond its edge, and no further. */
const BEYOND = 12;
const TITLE_PAD = 6;
/** The document outlines the longest bar of every chunk; its experiment has 20 of them. */
export const MOST_OUTLINED = 20;
export const WORST = 5;

export function overlayOf(input: OverlayInput): OverlayModel {
  const { group, viewport, origin, now } = input;
  const visible: Span[] = [];
  for (const span of group.frames) {
    if (span.slots === 0) continue;
    const x0 = viewport.x(span.start - origin);
    const x1 = viewport.x(spanEnd(span, now) - origin);
    if (x1 >= viewport.left && x0 <= viewport.right && x1 - x0 >= LEAST_FRAME) visible.push(span);
  }
  // Chunks too many to be told apart stand in one frame, which says how many they are.
  if (visible.length === 0 && group.info?.kind === 'chunk' && group.whole.slots > 0) {
    const frame = frameOf(input, group.whole);
    nameFrames(input, [group.whole], [frame]);
    return { frames: [frame], titleWord: '', bars: [], callouts: [] };
  }
  const frames = visible.map((span) => frameOf(input, span));
  const titleWord = nameFrames(input, visible, frames) ? '' : input.speak('frame.chunks');
  return { frames, titleWord, bars: outlined(input, visible).flatMap((span) => outlinesOf(input, span)), callouts: input.hasCallout ? calloutOf(input, visible) : [] };
}

function frameOf({ geometry, viewport, origin, now }: OverlayInput, span: Span): FrameMark {
  const x0 = Math.max(viewport.left - BEYOND, viewport.x(span.start - origin));
  const x1 = Math.min(viewport.right + BEYOND, viewport.x(spanEnd(span, now) - origin));
  return { key: span.number, x0, x1, y0: geometry.frameTop, y1: geometry.frameBottom, title: '', titleX: Math.max(x0, viewport.left) + TITLE_PAD, duration: '' };
}

/** All titles in full where all fit; else their numbers; else every second, fifth, tenth… number. @returns whether in full */
function nameFrames({ group, viewport, now, speak, measure, isFilling }: OverlayInput, spans: readonly Span[], frames: FrameMark[]): boolean {
  const info = group.info;
  if (!info) return true;
  const nameOf = (span: Span): string => {
    if (info.kind === 'chunk') return span.number > 0 ? speak('frame.chunk', { number: span.number }) : speak('frame.allChunks', { count: formatCount(group.frames.length) });
    if (info.lanesOf === 'operations') return speak('frame.operations', { count: info.lanes });
    if (info.name !== undefined) return info.lanes === 1 ? speak('frame.threads.one') : speak('frame.threads', { count: info.lanes });
    if (info.kind === 'pool') return info.lanes === 1 ? speak('frame.pool.one') : speak('frame.pool', { lanes: info.lanes });
    return speak(`frame.${info.kind}`);
  };
  const room = (frame: FrameMark): number => Math.min(frame.x1, viewport.right) - frame.titleX - TITLE_PAD / 2;
  // A frame that is cut off by the plot's edge, or still grows, does not decide for the others.
  const whole = frames.filter((frame, i) => spans[i].pending === 0 && frame.x0 >= viewport.left && frame.x1 <= viewport.right);
  const fits = (name: (span: Span) => string): boolean => frames.every((frame, i) => !whole.includes(frame) || measure(name(spans[i])) <= room(frame));
  const number = (span: Span): string => String(span.number);
  const inFull = frames.length === 1 || fits(nameOf);
  const step = inFull || fits(number) ? 1 : stepFor(frames, measure);
  frames.forEach((frame, i) => {
    const span = spans[i];
    const name = inFull ? nameOf(span) : span.number % step === 0 || i === 0 ? number(span) : '';
    if (measure(name) > room(frame) && step === 1) return;
    frame.title = name;
    if (!inFull || span.pending > 0 || isFilling) return;
    const duration = isCutShort(group, span) ? speak('frame.rejectedAfter', { time: formatMs(span.deciderEnd - span.start) }) : formatMs(spanEnd(span, now) - span.start);
    if (measure(name) + measure(duration) + 4 * TITLE_PAD <= room(frame) && frame.x1 <= viewport.right) frame.duration = duration;
  });
  return inFull;
}

function stepFor(frames: readonly FrameMark[], measure: (text: string) => number): number {
  const widest = measure(String(frames[frames.length - 1]?.key ?? 0)) + TITLE_PAD;
  const narrowest = frames.length > 1 ? (frames[frames.length - 1].x0 - frames[0].x0) / (frames.length - 1) : widest;
  for (let power = 1; ; power *= 10) for (const digit of [2, 5, 10]) if (digit * power * narrowest >= widest) return digit * power;
}

/**
 * Whether a call was over with a rejection, whatever went on behind it. Of a chunk that is told by tasks whose end came too late
 * for anybody: where all had ended by then, or whoever rejects is caught, its time is still that of its longest promise.
 */
export const isCutShort = ({ info }: GroupTasks, span: Span): boolean =>
  span.deciderId > 0 && (info?.kind === 'chunk' ? span.number > 0 && span.ignored > 0 && span.deciderEnd < span.lastEnd : info?.kind === 'all' && info.status === 'rejected');

/** Of more frames than `MOST_OUTLINED` in view those with the most idle time, unless all are asked for: red on every one says little. */
function outlined({ group, outlinesAll }: OverlayInput, spans: readonly Span[]): readonly Span[] {
  if (outlinesAll || spans.length <= MOST_OUTLINED) return spans;
  const idle = new Map(spans.map((span) => [span, span.pending > 0 ? 0 : idleOf(span, group.lanes.length)]));
  return spans.toSorted((a, b) => (idle.get(b) ?? 0) - (idle.get(a) ?? 0)).slice(0, WORST);
}

function outlinesOf({ group, geometry, viewport, origin }: OverlayInput, span: Span): BarMark[] {
  const kind = group.info?.kind;
  const bar = (look: BarMark['look'], id: number, lane: number, start: number, end: number): BarMark[] =>
    (id === 0 || isHidden(geometry, lane) ? [] : [{ key: id, look, ...barBox(geometry, viewport, lane, start - origin, end - origin) }]);
  if (kind === 'race' || kind === 'any') return bar('winner', span.deciderId, span.deciderLane, span.deciderStart, span.deciderEnd);
  // Which bar is the longest is known once all have ended. For one of a call that rejected nobody waited.
  if (kind === 'pool' || kind === 'sequential' || span.pending > 0 || isCutShort(group, span)) return [];
  return bar('longest', span.longestId, span.longestLane, span.longestStart, span.longestEnd);
}

/** The box of a bar on lane `lane` between two times on the axis, cut a little beyond the plot. */
export function barBox(geometry: Geometry, viewport: Viewport, lane: number, start: number, end: number): { x: number; y: number; width: number; height: number } {
  const x0 = Math.max(viewport.left - BEYOND, viewport.x(start));
  const x1 = Math.min(viewport.right + BEYOND, viewport.x(end));
  return { x: x0, y: barTop(geometry, lane), width: Math.max(1, x1 - x0 - (x1 - x0 > 3 ? 1 : 0)), height: geometry.barHeight };
}

/** On the first frame the sentence fits in, else on the first one there is: running on to its right, or, in a narrow panel, below. */
function calloutOf({ group, geometry, viewport, origin, now, speak, measure }: OverlayInput, spans: readonly Span[]): CalloutMark[] {
  const isChunks = group.info?.kind === 'chunk';
  const isRejected = (span: Span): boolean => isCutShort(group, span);
  const textOf = (span: Span): string => speak(isRejected(span) ? (isChunks ? 'callout.chunkRejected' : 'callout.rejected') : isChunks ? 'callout.chunk' : 'callout.all');
  const roomFor = (span: Span): number => measure(textOf(span)) + CALLOUT_ROOM;
  const laneOf = (span: Span): number => (isRejected(span) ? span.deciderLane : span.longestLane);
  const ended = spans.filter((span) => span.pending === 0 && span.slots > 1 && !isHidden(geometry, laneOf(span)) && viewport.x(span.start - origin) >= viewport.left - 1);
  const box = (span: Span): [number, number] => [viewport.x(span.start - origin), Math.min(viewport.right, viewport.x((isRejected(span) ? span.deciderEnd : spanEnd(span, now)) - origin))];
  const fitting = ended.find((span) => box(span)[1] - box(span)[0] >= roomFor(span));
  const span = fitting ?? ended[0];
  if (!span) return [];
  const text = textOf(span);
  const needed = roomFor(span);
  const [x0, x1] = box(span);
  const y = geometry.frameBottom + 13;
  const mark = { key: span.number, x0, x1, y, barX: x1 - 1, barY: barTop(geometry, laneOf(span)) + geometry.barHeight };
  if (fitting) return [{ ...mark, lines: [text], textX: (x0 + x1) / 2, textY: y, anchor: 'middle' }];
  if (x1 + needed <= viewport.right + CALLOUT_ROOM) return [{ ...mark, lines: [text], textX: x1 + 8, textY: y, anchor: 'start' }];
  const below = measure(text) <= viewport.width ? [text] : inTwo(text);
  const lines = calloutLines(viewport, text, measure) > 1 ? below : [];
  return [{ ...mark, lines, textX: viewport.left, textY: y + CALLOUT_LINE, anchor: 'start' }];
}

/** What a callout takes besides its words: arrows, and air. */
const CALLOUT_ROOM = 44;

/**
 * How many lines a callout has to be given room for. Where it takes less than half the width it finds its place in the
 * dimension line: in a frame that is wide enough, or to the right of one that is not.
 */
export const calloutLines = (viewport: Viewport, text: string, measure: (text: string) => number): number =>
  (2 * (measure(text) + CALLOUT_ROOM) <= viewport.width ? 1 : 2);

/** Two lines of about the same length. */
function inTwo(text: string): string[] {
  const spaces = [...text.matchAll(/ /g)].map((match) => match.index);
  const middle = spaces.reduce((best, at) => (Math.abs(at - text.length / 2) < Math.abs(best - text.length / 2) ? at : best), 0);
  return [text.slice(0, middle), text.slice(middle + 1)];
}
