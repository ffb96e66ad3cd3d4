/** What the demos show, in the user's language: their scripts say it in English. */
import * as vscode from 'vscode';
import type { Demo } from '../model/demos';

/** A demo without a translation here says it as its script does. */
export function aboutDemo({ name, about }: Pick<Demo, 'name' | 'about'>): string {
  switch (name) {
    case 'chunk-vs-rail': return vscode.l10n.t('The same sleeps, 50 at a time: as chunks of Promise.all, then on the rails of a promise pool');
    case 'read-files': return vscode.l10n.t('Reading thousands of files: one by one, with Promise.all, by worker threads, and with a fraction of a CPU');
    case 'fail-fast': return vscode.l10n.t('One rejection among many: what goes on and is ignored, and what allSettled keeps');
    case 'pipeline': return vscode.l10n.t('A pipeline of four stages with back-pressure, in six variants, throughput second by second');
    case 'sync-vs-async': return vscode.l10n.t('Sync against async file reads: the times, what a promise costs, and who waits meanwhile');
    case 'thread-pool': return vscode.l10n.t('A thread pool of Java: core, max, queue and what is rejected; nested executors; fork-join with 7 and 20');
    default: return about;
  }
}
