/** Finds the tasks a query means: group by group what cannot differ within one, then task by task on columns. */
import { ABORTED, IGNORED, STATE_MASK, TaskState, TIMED_OUT, type Group, type Site } from '../../src/model/timeline';
import type { GroupTasks } from '../store/group-tasks';
import type { Lane } from '../store/lane';
import type { RunStore } from '../store/run-store';
import { PENDING } from '../store/tick-clock';
import type { Status, Term } from './query';

/** Which tasks match; by id. */
export class Matches {
  private readonly bits: Uint8Array;
  count = 0;
  /** How many of each group; by its id. */
  readonly perGroup = new Map<number, number>();

  /** @param version another one for other matches @param ids the highest id there is */
  constructor(readonly version: number, ids: number) { this.bits = new Uint8Array((ids >> 3) + 1); }

  has(id: number): boolean { return (this.bits[id >> 3] & (1 << (id & 7))) !== 0; }

  add(id: number, group: number): void {
    this.bits[id >> 3] |= 1 << (id & 7);
    this.count++;
    this.perGroup.set(group, (this.perGroup.get(group) ?? 0) + 1);
  }
}

type Test = (lane: Lane, number: number, index: number, id: number) => boolean;

/** @param now milliseconds after `timeOrigin`: until then pending tasks have lasted */
export function findMatches(store: RunStore, terms: readonly Term[], now: number, version: number): Matches {
  const said = terms.map((term) => (term.kind === 'text' ? idsSaying(store, term.text) : undefined));
  const matches = new Matches(version, store.tasks.highestId);
  for (const group of store.groups.values()) {
    const { info } = group;
    if (!info) continue;
    const tests: Test[] = [];
    // A term that holds, or fails, for all of the group needs no look at its tasks.
    const fails = terms.some((term, i) => {
      const test = testOf(term, store, info, said[i], now);
      if (typeof test === 'boolean') return test === term.negated;
      tests.push(term.negated ? (...task) => !test(...task) : test);
      return false;
    });
    if (!fails) matchGroup(matches, group, tests);
  }
  return matches;
}

function matchGroup(matches: Matches, group: GroupTasks, tests: readonly Test[]): void {
  group.lanes.forEach((lane, k) => {
    for (let i = 0; lane && i < lane.length; i++) {
      const id = lane.idOf(i);
      if (tests.every((test) => test(lane, k + 1, i, id))) matches.add(id, group.id);
    }
  });
}

/** @returns a test of a task, or what holds for all tasks of the group */
function testOf(term: Term, { tasks }: RunStore, info: Group, said: ReadonlySet<number> | undefined, now: number): Test | boolean {
  switch (term.kind) {
    case 'text': {
      const { text } = term;
      if (groupTexts(info).some((each) => each.toLowerCase().includes(text))) return true;
      const ordinal = /^\d+$/u.test(text) ? Number(text) : -1;
      return (_lane, _number, _index, id) => said?.has(id) === true || tasks.ordinalOf(id) === ordinal;
    }
    case 'status': return statusTest(term.status, (id) => tasks.waitOf(id));
    case 'place': return [info.site, info.taskSite].some((site) => isAt(site, term.file, term.line));
    case 'number': {
      const { from, to, step, field } = term;
      const isIn = (number: number): boolean => number >= from && number <= to && (number - from) % step === 0;
      if (field === 'group') return isIn(info.id);
      if (field === 'lane') return (_lane, number) => isIn(number);
      const read = field === 'chunk' ? (id: number) => tasks.chunkOf(id) : (id: number) => tasks.ordinalOf(id);
      return (_lane, _number, _index, id) => isIn(read(id));
    }
    case 'time': {
      const { over, orEqual, ms } = term;
      const read = timeOf(term.field, (id) => tasks.waitOf(id), info.start, now);
      return (lane, _number, index, id) => {
        const value = read(lane, index, id);
        return over ? value > ms || (orEqual && value >= ms) : value < ms || (orEqual && value <= ms);
      };
    }
  }
}

function statusTest(status: Status, waitOf: (id: number) => number): Test {
  switch (status) {
    case 'aborted': return (lane, _number, index) => (lane.stateOf(index) & ABORTED) !== 0;
    case 'timedout': return (lane, _number, index) => (lane.stateOf(index) & TIMED_OUT) !== 0;
    case 'ignored': return (lane, _number, index) => (lane.stateOf(index) & IGNORED) !== 0;
    case 'queued': return (_lane, _number, _index, id) => waitOf(id) > 0;
    default: return (lane, _number, index) => (lane.stateOf(index) & STATE_MASK) === TaskState[status];
  }
}

/** Times of a task; starts and ends are counted from the group's first start. */
function timeOf(field: 'dur' | 'start' | 'end' | 'wait', waitOf: (id: number) => number, origin: number, now: number): (lane: Lane, index: number, id: number) => number {
  const end = (lane: Lane, index: number): number => (lane.end[index] === PENDING ? now : lane.endOf(index));
  switch (field) {
    case 'dur': return (lane, index) => end(lane, index) - lane.startOf(index);
    case 'start': return (lane, index) => lane.startOf(index) - origin;
    case 'end': return (lane, index) => (lane.end[index] === PENDING ? NaN : lane.endOf(index) - origin);
    case 'wait': return (_lane, _index, id) => waitOf(id);
  }
}

const groupTexts = ({ kind, library, site, taskSite }: Group): string[] =>
  [kind, library ?? '', ...[site, taskSite].flatMap((place) => (place ? [place.function, place.file] : []))];

/** @param file the end of a path, from a separator on */
export function isAt(site: Site | undefined, file: string, line: number | undefined): boolean {
  if (!site || (line !== undefined && site.line !== line)) return false;
  return site.file === file || (site.file.endsWith(file) && /[\\/]/u.test(site.file.at(-file.length - 1) ?? ''));
}

/** Tasks whose label or error holds a text. */
function idsSaying({ labels, errors }: RunStore, text: string): ReadonlySet<number> {
  const ids = new Set<number>();
  for (const texts of [labels, errors]) for (const [id, each] of texts) if (each.toLowerCase().includes(text)) ids.add(id);
  return ids;
}
