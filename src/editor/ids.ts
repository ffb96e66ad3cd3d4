/** Every id that package.json and the code share; a test holds the two against each other. */

/** Prefix of commands, settings and context keys. */
export const NAMESPACE = 'asyncLanes';

export const Command = {
  visualizePoolRun: 'asyncLanes.visualizePoolRun',
  stop: 'asyncLanes.stop',
  runAgain: 'asyncLanes.runAgain',
  showLog: 'asyncLanes.showLog',
} as const;
export type Command = (typeof Command)[keyof typeof Command];

/** Settings, as keys below `NAMESPACE`. */
export const Setting = {
  nodePath: 'nodePath',
  backend: 'backend',
} as const;
export type Setting = (typeof Setting)[keyof typeof Setting];

/** What when-clauses ask; kept up to date by `followContext`. */
export const ContextKey = {
  /** Some run has not ended. */
  running: 'asyncLanes.running',
  /** The run of the panel in front has not ended. */
  activePanelRunning: 'asyncLanes.activePanelRunning',
  /** There is a run that *Run Again* would repeat. */
  hasRun: 'asyncLanes.hasRun',
} as const;
export type ContextKey = (typeof ContextKey)[keyof typeof ContextKey];

export const ViewType = { run: 'asyncLanes.run' } as const;

/** Type of the tasks that runs are. Nobody writes such a task by hand, so package.json declares none. */
export const TASK_TYPE = 'asyncLanes';
