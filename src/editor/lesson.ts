/** A demo opened to be taught: the values it is to run with, and what its runs came to. */
import { basename } from 'node:path';
import * as vscode from 'vscode';
import { problemOf } from '../../media/demos/lib/parameters.mjs';
import type { Demo, DemoRun, Values } from '../model/demos';
import type { Lesson as LessonMessage } from '../model/protocol';
import { readDemoRun } from '../session/demo-run';
import { demoScript, loadDemos } from '../session/demos';
import type { Runs } from './runs';

/** Runs that are told of, the last ones. */
const TOLD_RUNS = 20;

export class Lesson {
  private values: Values;
  private readonly runs: DemoRun[] = [];

  constructor(private readonly demo: Demo) {
    this.values = Object.fromEntries(Object.entries(demo.parameters).map(([name, { is }]) => [name, is]));
  }

  /** @param values from a page: what is no parameter, or no value for it, is left out */
  take(values: Values): void {
    const { parameters } = this.demo;
    const merged = { ...this.values, ...Object.fromEntries(Object.entries(values).filter(([name]) => Object.hasOwn(parameters, name))) };
    this.values = Object.fromEntries(Object.entries(merged).map(([name, value]) =>
      [name, problemOf(parameters, name, String(value), merged) ? parameters[name].is : value]));
  }

  /** The values as the script's command line takes them. */
  words(): string[] { return Object.entries(this.values).flatMap(([name, value]) => [`--${name}`, String(value)]); }

  /** Takes in what a run came to. @param folder absolute path of its recording */
  note(folder: string): void {
    const run = readDemoRun(folder);
    if (run) this.runs.push(run);
  }

  message(locale: string, isRunning: boolean): LessonMessage {
    return { type: 'lesson', locale, demo: this.demo, values: this.values, runs: this.runs.slice(-TOLD_RUNS), isRunning };
  }
}

/** The lesson of a script; undefined where it is no demo. @param dist absolute path of the folder the bundles lie in */
export function lessonOf(script: string, dist: string): Lesson | undefined {
  const name = basename(script, '.mjs');
  if (demoScript(dist, name) !== script) return undefined;
  const demo = loadDemos(dist).find((each) => each.name === name);
  return demo && new Lesson(demo);
}

/** Opens the lesson of a demo, or asks which one. @throws Refusal where there are none */
export async function openDemo(runs: Runs, dist: string, name?: string): Promise<void> {
  const demos = loadDemos(dist);
  const chosen = demos.find((demo) => demo.name === name)?.name
    ?? (await vscode.window.showQuickPick(demos.map((demo) => ({ label: demo.name, detail: demo.about })), { title: vscode.l10n.t('Open a teaching demo'), matchOnDetail: true }))?.label;
  if (chosen !== undefined) runs.openDemo(chosen);
}
