/** A run of whatever Node processes start under an environment, until somebody ends it: a terminal's, or one set by hand. */
import type { Notice } from '../model/run';
import type { Ending } from '../session/launch';
import { LiveRun } from '../session/run';
import { keepRecord } from './keep-record';
import type { ShownRun } from './shown-run';

const WAITING: Notice = {
  severity: 'info', code: 'waiting', values: {},
  text: 'No Node process has started here yet. The first one that is started in the terminal, or with the copied options, shows as soon as it runs.',
};

export class OpenRecording implements ShownRun {
  readonly source: LiveRun;
  private end: () => void = () => { /* set with the promise */ };

  /**
   * @param folder absolute path of the folder for its recording
   * @param cwd where its processes are expected to start
   */
  constructor(readonly folder: string, title: string, cwd: string) {
    const ended = new Promise<Ending>((resolve) => { this.end = () => { resolve({ exitCode: 0 }); }; });
    this.source = new LiveRun({ folder, command: [title], cwd, title, process: { pid: undefined, ended }, untilBegun: WAITING });
    void this.source.finished.then(() => { keepRecord(folder, this.source); });
  }

  get finished(): Promise<void> { return this.source.finished; }
  get closed(): Promise<void> { return this.source.finished; }

  /** Ends the recording; processes that still run go on. */
  stop(): Promise<void> {
    this.end();
    return this.source.finished;
  }

  dispose(): void { this.source.dispose(); }
}
