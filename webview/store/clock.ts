/** The host's clock, advanced here between two of its messages, so that pending tasks grow evenly. Milliseconds. */
export class HostClock {
  private hostTime = 0;
  private heardAt = 0;
  private running = false;
  private shown = 0;

  /** @param hostTime the host's now, after `timeOrigin` @param localTime this machine's `performance.now()` */
  hear(hostTime: number, localTime: number, running: boolean): void {
    this.hostTime = hostTime;
    this.heardAt = localTime;
    // A run that is over stands at the host's last word, even if time had been guessed further ahead.
    if (!running) this.shown = hostTime;
    this.running = running;
  }

  /** Nothing more will be heard: time stands. */
  stop(localTime: number): void {
    this.hostTime = this.now(localTime);
    this.running = false;
  }

  /** Never goes back while the run lasts. */
  now(localTime: number): number {
    if (!this.running) return this.hostTime;
    this.shown = Math.max(this.shown, this.hostTime + Math.max(0, localTime - this.heardAt));
    return this.shown;
  }

  get isRunning(): boolean { return this.running; }
}
