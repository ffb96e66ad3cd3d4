/** What groups, lanes, states and places are called. */
import { ABORTED, IGNORED, stateName, TIMED_OUT, type Group, type Site } from '../../src/model/timeline';
import { baseName } from '../format';
import type { Speak } from '../words/speak';

/** What it is called; where two runs are shown, with the run it is of. */
export function groupTitle(group: Parameters<typeof kindTitle>[0] & Pick<Group, 'run'>, speak: Speak): string {
  return group.run === undefined ? kindTitle(group, speak) : `${speak('compare.run', { number: group.run })} · ${kindTitle(group, speak)}`;
}

export function kindTitle(group: Pick<Group, 'kind' | 'name' | 'lanesOf' | 'combinator'>, speak: Speak): string {
  if (group.name !== undefined) return speak(group.lanesOf === 'operations' ? 'kind.operations' : 'kind.threads', { name: group.name });
  return group.kind === 'chunk' ? speak('kind.chunk', { combinator: group.combinator ?? 'all' }) : speak(`kind.${group.kind}`);
}

export const laneWord = (group: Group, speak: Speak): string =>
  speak(group.name !== undefined ? 'lane.other' : group.kind === 'chunk' ? 'lane.chunk' : group.kind === 'pool' ? 'lane.pool' : 'lane.other');

/** `main · a.mjs:20`. */
export const placeOf = (site: Site, speak: Speak): string =>
  `${site.function || speak('group.anonymous')} · ${baseName(site.file)}:${site.line}`;

/** @param isOver whether the run has ended: what is pending then will never settle */
export function stateWord(state: number, isOver: boolean, speak: Speak): string {
  const name = stateName(state);
  const word = speak((state & ABORTED) !== 0 ? 'state.aborted' : (state & TIMED_OUT) !== 0 ? 'state.timedOut' : isOver && name === 'pending' ? 'state.unsettled' : `state.${name}`);
  return (state & IGNORED) !== 0 ? speak('state.ignored', { state: word }) : word;
}
