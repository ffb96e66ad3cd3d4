/** Places and their results in a few words. */
import * as vscode from 'vscode';
import { idleShareOf, type PlaceResult } from '../formats/place-results';
import type { Place } from '../inspect/place';

/** E.g. `chunk loop, 4 at once`. */
export function placeLabel(place: Place): string {
  const { kind, library, limit, combinator } = place;
  const call = `Promise.${combinator ?? 'all'}`;
  switch (kind) {
    case 'chunk': return limit === undefined ? vscode.l10n.t('Chunk loop') : vscode.l10n.t('Chunk loop, {0} at a time', limit);
    case 'pool': return limit === undefined ? vscode.l10n.t('Promise pool') : vscode.l10n.t('Promise pool of {0}', limit);
    case 'library': return limit === undefined ? vscode.l10n.t('Pool of {0}', library ?? '') : vscode.l10n.t('Pool of {0}, limit {1}', library ?? '', limit);
    case 'unbounded': return vscode.l10n.t('Unbounded: {0} over every item', library ?? call);
    case 'together': return vscode.l10n.t('Together: {0}', call);
    case 'sequential': return vscode.l10n.t('One after another');
    case 'forEach': return vscode.l10n.t('Awaited by nobody: forEach of an async function');
    case 'limiterInLoop': return vscode.l10n.t('A limiter of {0} for each item: it limits nothing', library ?? '');
  }
}

/** E.g. `20 chunks · 39.4 s · 31 % idle`. */
export function resultLabel(result: PlaceResult): string {
  const amount = result.chunks > 0 ? vscode.l10n.t('{0} chunks', result.chunks) : vscode.l10n.t('{0} tasks', result.tasks);
  const failed = result.rejected > 0 ? [vscode.l10n.t('{0} rejected', result.rejected)] : [];
  return [amount, durationLabel(result.elapsedMs), idleLabel(result), ...failed].join(' · ');
}

export const idleLabel = (result: PlaceResult): string => vscode.l10n.t('{0} % idle', Math.round(idleShareOf(result) * 100));

/** @param ms milliseconds */
export function durationLabel(ms: number): string {
  if (ms < 10) return `${ms.toFixed(1)} ms`;
  if (ms < 1000) return `${Math.round(ms)} ms`;
  return ms < 100_000 ? `${(ms / 1000).toFixed(1)} s` : `${Math.round(ms / 1000)} s`;
}
