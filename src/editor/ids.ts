/** Every id that package.json and the code share; a test holds the two against each other. */

/** Prefix of commands, settings and context keys. */
export const NAMESPACE = 'asyncLanes';

export const Command = {
  visualizePoolRun: 'asyncLanes.visualizePoolRun',
  visualizeWithOptions: 'asyncLanes.visualizeWithOptions',
  visualizeTests: 'asyncLanes.visualizeTests',
  visualizeNpmScript: 'asyncLanes.visualizeNpmScript',
  visualizeLaunch: 'asyncLanes.visualizeLaunch',
  visualizeAndDebug: 'asyncLanes.visualizeAndDebug',
  recordTerminals: 'asyncLanes.recordTerminals',
  stopRecordingTerminals: 'asyncLanes.stopRecordingTerminals',
  copyAgentOptions: 'asyncLanes.copyAgentOptions',
  visualizeRunning: 'asyncLanes.visualizeRunning',
  stop: 'asyncLanes.stop',
  runAgain: 'asyncLanes.runAgain',
  openDemo: 'asyncLanes.openDemo',
  openLog: 'asyncLanes.openLog',
  showLog: 'asyncLanes.showLog',
  inspect: 'asyncLanes.inspect',
  cancelInspection: 'asyncLanes.cancelInspection',
  openPlace: 'asyncLanes.openPlace',
  visualizePlace: 'asyncLanes.visualizePlace',
  showBars: 'asyncLanes.showBars',
  showTasksOfLine: 'asyncLanes.showTasksOfLine',
  openRun: 'asyncLanes.openRun',
  repeatRun: 'asyncLanes.repeatRun',
  renameRun: 'asyncLanes.renameRun',
  saveRun: 'asyncLanes.saveRun',
  deleteRun: 'asyncLanes.deleteRun',
  compareRuns: 'asyncLanes.compareRuns',
  compareRunWith: 'asyncLanes.compareRunWith',
  compareSelectedRuns: 'asyncLanes.compareSelectedRuns',
  deleteAllRuns: 'asyncLanes.deleteAllRuns',
} as const;
export type Command = (typeof Command)[keyof typeof Command];

/** Settings, as keys below `NAMESPACE`. */
export const Setting = {
  nodePath: 'nodePath',
  backend: 'backend',
  codeLens: 'codeLens',
  lineEnds: 'lineEnds',
  firstLane: 'firstLane',
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
  /** The workspace's sources are being inspected. */
  inspecting: 'asyncLanes.inspecting',
  /** They have been: a view without places is no view that waits for them. */
  inspected: 'asyncLanes.inspected',
  /** All new terminals are recorded. */
  recordingTerminals: 'asyncLanes.recordingTerminals',
} as const;
export type ContextKey = (typeof ContextKey)[keyof typeof ContextKey];

export const ViewType = { run: 'asyncLanes.run', trace: 'asyncLanes.trace', compare: 'asyncLanes.compare', traceEvents: 'asyncLanes.traceEvents' } as const;

/** Views of the container `asyncLanes`. */
export const View = { places: 'asyncLanes.places', npm: 'asyncLanes.npm', demos: 'asyncLanes.demos', runs: 'asyncLanes.runs' } as const;

/** Id of the terminal profile. */
export const TERMINAL_PROFILE = 'asyncLanes.terminal';

/** Name of the tool for language models. */
export const RUN_TOOL = 'asyncLanes_visualizeRun';

/** Type of the tasks that runs are. Nobody writes such a task by hand, so package.json declares none. */
export const TASK_TYPE = 'asyncLanes';

/** File name extension of traces. */
export const TRACE_EXTENSION = 'lanes';
