/** What the reader has chosen, kept by the carrier over hiding, reload and restart. */
import { COLOR_BY, type ColorBy } from './diagram/shading';
import { LANE_SORTS, type LaneSort } from './diagram/lane-order';
import type { Align } from './diagram/time-range';

export interface ViewState {
  /** Undefined: whatever suits the groups. */
  readonly align?: Align;
  readonly colorBy?: ColorBy;
  readonly sort?: LaneSort;
  /** Where lane 1 stands; undefined: as the host's settings say. */
  readonly firstLane?: FirstLane;
  /** Whether the outline of the groups is open. */
  readonly outline?: boolean;
  /** Whether the longest task of every chunk is outlined. */
  readonly outlinesAll?: boolean;
  /** Pixels: the page's width, and how high title and tools were at that. */
  readonly bars?: readonly [number, number, number];
  /** What follows holds for one run only: that of this `RunInfo.timeOrigin`. */
  readonly run?: number;
  /** Zoomed stretch, ms on the axis; undefined: all. */
  readonly window?: readonly [number, number];
  /** What is searched for. */
  readonly query?: string;
  readonly pinned?: readonly LaneOf[];
  readonly hidden?: readonly LaneOf[];
  /** Groups that ran inside a task and are open, by id. */
  readonly opened?: readonly number[];
}

/** Group id and 1-based lane. */
export type LaneOf = readonly [number, number];
export type FirstLane = 'bottom' | 'top';

const MOST_LISTED = 10_000;
const MOST_SIGNS = 500;

/** @param value whatever a carrier gave back */
export function parseViewState(value: unknown): ViewState {
  if (typeof value !== 'object' || value === null) return {};
  const raw = value as { readonly [key: string]: unknown };
  const stretch = list(raw.window);
  const [from, to] = stretch;
  return {
    align: oneOf(['same', 'wall'], raw.align), colorBy: oneOf(COLOR_BY, raw.colorBy), sort: oneOf(LANE_SORTS, raw.sort),
    firstLane: oneOf(['bottom', 'top'], raw.firstLane), outline: flag(raw.outline), outlinesAll: flag(raw.outlinesAll), bars: barsOf(raw.bars),
    run: typeof raw.run === 'number' ? raw.run : undefined,
    window: typeof from === 'number' && typeof to === 'number' && to > from ? [from, to] : undefined,
    query: typeof raw.query === 'string' ? raw.query.slice(0, MOST_SIGNS) : undefined,
    pinned: lanes(raw.pinned), hidden: lanes(raw.hidden),
    opened: some(list(raw.opened).filter(isCount)),
  };
}

/** Choices that hold for every run. */
export const lasting = ({ align, colorBy, sort, firstLane, outline, outlinesAll, bars }: ViewState): ViewState => ({ align, colorBy, sort, firstLane, outline, outlinesAll, bars });

const MOST_PIXELS = 1000;
function barsOf(value: unknown): ViewState['bars'] {
  const [width, top, tools] = list(value);
  const isHeight = (pixels: unknown): pixels is number => typeof pixels === 'number' && pixels >= 0 && pixels <= MOST_PIXELS;
  return isCount(width) && isHeight(top) && isHeight(tools) ? [width, top, tools] : undefined;
}

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value.slice(0, MOST_LISTED) : []);
const isCount = (value: unknown): value is number => typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
const flag = (value: unknown): boolean | undefined => (typeof value === 'boolean' ? value : undefined);
const some = <T>(values: readonly T[]): readonly T[] | undefined => (values.length > 0 ? values : undefined);
const oneOf = <T extends string>(allowed: readonly T[], value: unknown): T | undefined => allowed.find((each) => each === value);
const lanes = (value: unknown): readonly LaneOf[] | undefined => some(list(value).flatMap((pair): LaneOf[] => {
  const [group, lane] = list(pair);
  return isCount(group) && isCount(lane) && lane > 0 ? [[group, lane]] : [];
}));
