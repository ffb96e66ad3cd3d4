/** A run for an assistant: its groups as a table, and in sentences whom idle slots waited for. As Markdown, no longer than asked for. */
import type { RunSource } from '../timeline/feed';
import { culpritsOf, type Culprit } from './culprits';
import { escape, markdownPieces, place } from './markdown';
import { duration } from './words';

const MOST_CULPRITS = 10;
const CUT = '\n(cut: there are more groups)\n';

/** @param letters at the most */
export function assistantSummary(run: RunSource, letters: number): string {
  const idle = idleSection(run);
  const room = letters - idle.length - CUT.length - 1;
  let text = '';
  for (const piece of markdownPieces(run)) {
    if (text.length + piece.length > room) return `${text}${CUT}\n${idle}`;
    text += piece;
  }
  return `${text}\n${idle}`;
}

function idleSection(run: RunSource): string {
  const culprits = culpritsOf(run, MOST_CULPRITS);
  if (culprits.length === 0) return '## Idle\n\nNo slot stood idle waiting for the last task of its chunk or group.\n';
  return `## Idle, and whom it waited for\n\n${culprits.map((culprit) => `- ${sentenceOf(culprit)}\n`).join('')}`;
}

function sentenceOf({ group, chunk, ordinal, label, durationMs, slots, idleMs }: Culprit): string {
  const where = `${group.kind}${group.site ? ` ${place(group.site)}` : ''} (group ${group.id})${chunk > 0 ? `, chunk ${chunk}` : ''}`;
  const task = `task ${ordinal}${label === undefined ? '' : ` “${label.slice(0, 80)}”`}`;
  return escape(`${where}: ${slots} ${slots === 1 ? 'slot' : 'slots'} stood idle for ${duration(idleMs)} in all until ${task} ended, which took ${duration(durationMs)}.`);
}
