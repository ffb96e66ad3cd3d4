/** Keeps Ctrl-C and its like from ending us before what was captured is given out. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export interface Interrupts {
  /** Resolves with the next such signal from now on. */
  next(): Promise<void>;
  /** Lets signals end the process again. */
  release(): void;
}

export function holdInterrupts(): Interrupts {
  let waiting: (() => void)[] = [];
  const onSignal = (): void => {
    for (const resolve of waiting) resolve();
    waiting = [];
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  return {
    next: () => new Promise((resolve) => { waiting.push(resolve); }),
    release: () => { for (const signal of SIGNALS) process.off(signal, onSignal); },
  };
}
