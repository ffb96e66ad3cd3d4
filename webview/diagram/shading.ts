/** What bars are coloured by, and which of them stand out. */
import type { Site } from '../../src/model/timeline';
import type { Matches } from '../search/match';
import type { GroupTasks } from '../store/group-tasks';
import type { Lane } from '../store/lane';
import { CATEGORIES, STEPS } from './hues';

export const COLOR_BY = ['outcome', 'duration', 'function', 'chunk'] as const;
export type ColorBy = (typeof COLOR_BY)[number];

/** 0: by outcome; else the number, from 1, of one of the palette's hues. */
export type HueOf = (lane: Lane, index: number) => number;

/** Of one group. */
export interface GroupShading {
  /** Undefined: by outcome throughout. */
  readonly hueOf: HueOf | undefined;
  /** Undefined: nothing is searched for. */
  readonly matches: Matches | undefined;
  /** Another one for another shading. */
  readonly version: string;
}

/** One entry of the legend: what a hue stands for. */
export interface Meaning {
  /** From 1. */
  readonly hue: number;
  /** Durations from `from` on, to the next meaning's; milliseconds. */
  readonly from?: number;
  readonly to?: number;
  /** A task function. */
  readonly site?: Site;
  /** A chunk and every `CATEGORIES`-th after it. */
  readonly chunk?: number;
}

/** How much of each group is looked at to find out how long its tasks take. */
const SAMPLES = 2000;

export class Shading {
  colorBy: ColorBy = 'outcome';
  matches: Matches | undefined;
  meanings: readonly Meaning[] = [];
  private version = 0;
  private limits: readonly number[] = [];
  private readonly functions = new Map<string, number>();

  /** @param groups in the order of the page; they decide which durations are long, and which function has which colour */
  choose(colorBy: ColorBy, groups: readonly GroupTasks[]): void {
    this.colorBy = colorBy;
    const before = JSON.stringify([colorBy, this.meanings]);
    this.meanings = this.meaningsOf(groups);
    if (JSON.stringify([colorBy, this.meanings]) !== before) this.version++;
  }

  of(group: GroupTasks): GroupShading {
    return { hueOf: this.hueOf(group), matches: this.matches, version: `${this.colorBy} ${this.version} ${this.matches?.version ?? ''}` };
  }

  private hueOf(group: GroupTasks): HueOf | undefined {
    switch (this.colorBy) {
      case 'outcome': return undefined;
      case 'duration': {
        const [a, b, c, d] = this.limits;
        return (lane, index) => {
          const ms = lane.endOf(index) - lane.startOf(index);
          return CATEGORIES + 1 + (ms >= d ? 4 : ms >= c ? 3 : ms >= b ? 2 : ms >= a ? 1 : 0);
        };
      }
      case 'function': {
        const hue = this.functions.get(siteKey(group.info?.taskSite)) ?? 0;
        return () => hue;
      }
      case 'chunk': {
        const { details } = group;
        return (lane, index) => {
          const chunk = details.chunkOf(lane.idOf(index));
          return chunk === 0 ? 0 : ((chunk - 1) % CATEGORIES) + 1;
        };
      }
    }
  }

  private meaningsOf(groups: readonly GroupTasks[]): Meaning[] {
    switch (this.colorBy) {
      case 'outcome': return [];
      case 'duration': {
        this.limits = fifths(groups);
        return Array.from({ length: STEPS }, (_, i) => ({ hue: CATEGORIES + 1 + i, from: this.limits[i - 1], to: this.limits[i] }));
      }
      case 'function': {
        this.functions.clear();
        const meanings: Meaning[] = [];
        for (const { info } of groups) {
          const key = siteKey(info?.taskSite);
          if (!info?.taskSite || this.functions.has(key) || meanings.length === CATEGORIES) continue;
          this.functions.set(key, meanings.length + 1);
          meanings.push({ hue: meanings.length + 1, site: info.taskSite });
        }
        return meanings;
      }
      case 'chunk': {
        const chunks = Math.max(0, ...groups.map(({ info }) => info?.chunks ?? 0));
        return Array.from({ length: Math.min(CATEGORIES, chunks) }, (_, i) => ({ hue: i + 1, chunk: i + 1 }));
      }
    }
  }
}

const siteKey = (site: Site | undefined): string => (site ? `${site.file}:${site.line}:${site.column}` : '');

/** Four durations that part the tasks into fifths. */
function fifths(groups: readonly GroupTasks[]): number[] {
  const durations: number[] = [];
  for (const { lanes, whole } of groups) {
    const step = Math.max(1, Math.floor(whole.slots / SAMPLES));
    let at = 0;
    for (const lane of lanes) {
      for (let i = 0; lane && i < lane.length; i++) if (at++ % step === 0 && !Number.isNaN(lane.endOf(i))) durations.push(lane.endOf(i) - lane.startOf(i));
    }
  }
  durations.sort((a, b) => a - b);
  return Array.from({ length: STEPS - 1 }, (_, i) => durations[Math.floor(((i + 1) * durations.length) / STEPS)] ?? 0);
}
