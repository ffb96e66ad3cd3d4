/** A demo opened to be taught: the values it is to run with, and what its runs came to. */
import { basename } from 'node:path';
import { problemOf } from '../../media/demos/lib/parameters.mjs';
import type { Demo, DemoRun, Values } from '../model/demos';
import type { Lesson as LessonMessage } from '../model/protocol';
import { readDemoRun } from './demo-run';
import { demoScript, loadDemos } from './demos';

/** Runs that are told of, the last ones. */
const TOLD_RUNS = 20;

export class Lesson {
  private values: Values;
  private readonly runs: DemoRun[] = [];

  /** @param values other than the script's own, taken as `take` does */
  constructor(private readonly demo: Demo, values: Values = {}) {
    this.values = Object.fromEntries(Object.entries(demo.parameters).map(([name, { is }]) => [name, is]));
    this.take(values);
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
