/** A program that prints what it can see of the machinery around it: the same with the agent as without, or the README names it. */
import type { How } from '../observed';

export interface Program extends How {
  readonly source: string;
  /** Lowest Node major version that knows what it uses. */
  readonly since?: number;
  /** Prints promises, or what else the README says that `--backend async_hooks` shows. */
  readonly isForV8Only?: true;
  /** Uses what only this platform has. */
  readonly on?: NodeJS.Platform;
}

export type Programs = Readonly<Record<string, Program | string>>;
