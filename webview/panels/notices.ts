/** What the reader should know: the host's notices, what is missing from the recording, and this page's own troubles. */
import type { Notice, RunState } from '../../src/model/run';
import { element } from '../dom';
import { formatCount, formatMs } from '../format';
import type { Speak } from '../words/speak';

/** What the host says, in the reader's language; of what is missing from the recording this page tells itself. */
function hostNotice(notice: Notice, speak: Speak): Notice[] {
  const { code, values } = notice;
  if (!values) return [notice];
  switch (code) {
    case 'dropped': case 'sampled': return [];
    case 'damaged-facts': return [{ ...notice, text: speak(values['file'] === undefined ? 'notice.damagedThread' : 'notice.damagedFile', values) }];
    case 'reading-failed': return [{ ...notice, text: speak('notice.readingFailed', values) }];
    case 'no-hello': return [{ ...notice, text: speak(values['status'] === undefined ? 'notice.noHello' : 'notice.endedBefore', values) }];
    case 'crashed-early': return [{ ...notice, text: speak('notice.crashedEarly') }];
    case 'broken-off': return [{ ...notice, text: speak('notice.brokenOff', values) }];
    case 'unplaced': return [{ ...notice, text: speak('notice.unplaced', values) }];
    case 'nothing-found': return [{ ...notice, text: speak('notice.nothingFound') }];
    case 'log-lines': return [{ ...notice, text: speak('notice.logLines', values) }];
    case 'log-unpaired': return [{ ...notice, text: speak('notice.logUnpaired', values) }];
    case 'log-beyond': return [{ ...notice, text: speak('notice.logBeyond', values) }];
    case 'trace-cut': return [{ ...notice, text: speak('notice.traceCut', values) }];
    case 'trace-wrong': return [{ ...notice, text: speak('notice.traceWrong', values) }];
    case 'trace-unpaired': return [{ ...notice, text: speak('notice.traceUnpaired', values) }];
    case 'trace-beyond': return [{ ...notice, text: speak('notice.traceBeyond', values) }];
    case 'trace-other': return [{ ...notice, text: speak('notice.traceOther', values) }];
    default: return [notice];
  }
}

/** All that is to be told of a run, in the reader's language. */
export function noticesOf(state: RunState, over: boolean, speak: Speak): Notice[] {
  const all = state.notices.flatMap((notice) => hostNotice(notice, speak));
  if (state.dropped > 0) all.push({ severity: 'warning', code: 'dropped', text: speak('notice.dropped', { count: formatCount(state.dropped) }) });
  if (!state.complete && over && !state.notices.some(({ code }) => code === 'broken-off')) all.push({ severity: 'warning', code: 'incomplete', text: speak('notice.incomplete') });
  if (state.sampledMs > 0) all.push({ severity: 'info', code: 'sampled', text: speak('notice.sampled', { time: formatMs(state.sampledMs) }) });
  return all;
}

export class Notices {
  readonly element = element('ul', 'notices');
  private readonly own = new Map<string, Notice>();
  private shown = '';

  constructor() {
    this.element.setAttribute('aria-live', 'polite');
    this.element.hidden = true;
  }

  /** Adds a notice of this page itself, or replaces the one of its code. */
  tell(severity: Notice['severity'], code: string, text: string): void { this.own.set(code, { severity, code, text }); }

  untell(code: string): void { this.own.delete(code); }

  update(state: RunState | undefined, refused: number, over: boolean, speak: Speak): void {
    const all = state ? noticesOf(state, over, speak) : [];
    if (refused > 0) all.push({ severity: 'warning', code: 'refused', text: speak('notice.refused', { count: formatCount(refused) }) });
    all.push(...this.own.values());
    const key = JSON.stringify(all);
    if (key === this.shown) return;
    this.shown = key;
    this.element.hidden = all.length === 0;
    this.element.setAttribute('aria-label', speak('bar.notices'));
    this.element.replaceChildren(...all.map(({ severity, code, text }) => {
      const item = element('li', `notice ${severity}`, element('span', 'severity', speak(`severity.${severity}`)), ' ', text);
      item.dataset.code = code;
      return item;
    }));
  }
}
