/**
 * What host and view say to each other, over VS Code's message channel, a WebSocket, or out of an exported page:
 * the view says `ready`, the host answers `hello` and then `delta` after `delta`, each acknowledged. Opening, reloading
 * and coming back from being hidden are all that one path.
 */
import type { ActivityColumns } from './activity';
import type { Comparison } from './comparison';
import type { Demo, DemoRun, Values } from './demos';
import type { RunInfo, RunState, Thread } from './run';
import type { Group, TaskColumns } from './timeline';

export const PROTOCOL_VERSION = 1;
/** Deltas the host may have sent without having heard of their arrival. */
export const MAX_UNACKNOWLEDGED = 2;
/** Tasks in one delta at the most: keeps a frame below 3 MB. */
export const MAX_TASKS_PER_DELTA = 1 << 16;
/** Rows of what threads went through in one delta at the most. */
export const MAX_ACTIVITY_PER_DELTA = 1 << 15;

/** What the host can do for this view; a view shows no button for what it cannot. */
export interface Capabilities {
  readonly stop: boolean;
  readonly runAgain: boolean;
  readonly openSource: boolean;
  /** Asks where a file is to go and writes it; without, a page hands it to its browser. */
  readonly saveFile: boolean;
}

/** Begins a view from nothing: whatever it showed before is void. */
export interface Hello {
  readonly type: 'hello';
  readonly protocol: number;
  /** BCP 47 tag, e.g. `en` or `ko`. */
  readonly locale: string;
  readonly run: RunInfo;
  readonly capabilities: Capabilities;
  /** Where lane 1 stands unless the reader has chosen. */
  readonly firstLane: 'bottom' | 'top';
}

/** A line of a file: absolute path, or its end from a separator on; 1-based. */
export interface Place { readonly file: string; readonly line: number }

/** All that changed since the delta before; after `hello`, all there is, in as many deltas as it takes. */
export interface Delta {
  readonly type: 'delta';
  /** Counts from 1 after each `hello`. */
  readonly seq: number;
  /** The host's clock, milliseconds after `timeOrigin`: pending tasks are drawn up to here. */
  readonly now: number;
  readonly state: RunState;
  /** True on the last delta that brings what was there already: from here on it is live. */
  readonly caughtUp: boolean;
  readonly threads?: readonly Thread[];
  /** Each replaces the group of its id. */
  readonly groups: readonly Group[];
  /** Ids of groups that are no more (their tasks were found to belong to another). */
  readonly removed: readonly number[];
  /** Labels of tasks: [task id, text]. */
  readonly labels: readonly (readonly [number, string])[];
  /** What the errors of tasks that failed say: [task id, text]. */
  readonly errors?: readonly (readonly [number, string])[];
  /** Each row replaces the task of its id. */
  readonly tasks: TaskColumns;
  /** The reader wants to see the tasks of this line: of groups that start there, or whose task's function does. */
  readonly place?: Place;
  /** What threads went through since the delta before: rows to add to those known. */
  readonly activity?: ActivityColumns;
}

/** The lesson a view tells beside its runs. Sent anew whenever it changes. */
export interface Lesson {
  readonly type: 'lesson';
  /** BCP 47 tag. */
  readonly locale: string;
  readonly demo: Demo;
  /** What the fields are to hold. */
  readonly values: Values;
  /** In the order in which they were made. */
  readonly runs: readonly DemoRun[];
  readonly isRunning: boolean;
}

export type ToView = Hello | Delta | Lesson | Comparison;

/** Said beside the frames, where host and view share more than one channel: bring this group into sight. */
export interface Pointer {
  readonly type: 'showGroup';
  /** `Group.id`. */
  readonly group: number;
}

/** Said beside the frames as well: nobody can see the page for now, or somebody can again. */
export interface Rest {
  readonly type: 'rest';
  readonly isResting: boolean;
}

export type FromView =
  | { readonly type: 'ready' }
  | { readonly type: 'ack'; readonly seq: number }
  | { readonly type: 'stop' }
  | { readonly type: 'runAgain' }
  /** Runs the demo of the lesson. The host checks the values. */
  | { readonly type: 'runDemo'; readonly values: Values }
  /** Shows where the group starts, or its task's function, in the editor. */
  | { readonly type: 'openSource'; readonly group: number; readonly what: 'group' | 'task' }
  /** Keeps a picture or table of the view. `name` is a file's name without a folder. */
  | { readonly type: 'saveFile'; readonly name: string; readonly data: Uint8Array };

/** Bytes of a file that a view has its host save. */
export const MAX_FILE_BYTES = 1 << 28;

export function assertUnreachable(value: never): never {
  throw new Error(`unexpected: ${JSON.stringify(value)}`);
}
