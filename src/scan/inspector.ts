/** Asks the worker thread that inspects sources; starts it when first needed, and lets it go when nothing was asked for a while. */
import { Worker } from 'node:worker_threads';
import type { Place } from '../inspect/place';
import type { FilePlaces, FromWorker, ScanCounts, ToWorker } from './protocol';

const IDLE_MS = 60_000;

interface Request {
  readonly onFiles?: (files: readonly FilePlaces[]) => void;
  readonly resolve: (answer: FromWorker) => void;
  readonly reject: (error: Error) => void;
}

export class Inspector {
  private worker: Worker | undefined;
  private readonly requests = new Map<number, Request>();
  private lastId = 0;
  private idle: ReturnType<typeof setTimeout> | undefined;

  /** @param script absolute path of the worker's bundle */
  constructor(private readonly script: string) {}

  /** @param name the file's, for its extension @throws Error where the thread cannot be started, or has died */
  async inspect(name: string, text: string): Promise<readonly Place[]> {
    const answer = await this.ask((id) => ({ type: 'inspect', id, name, text }));
    return answer.type === 'places' ? answer.places : [];
  }

  /**
   * Inspects every source below the folders.
   * @param onFiles is told of files with places as they are found
   * @returns what was looked at until the end, or until `signal` broke it off
   */
  async scan(folders: readonly string[], cacheFile: string | undefined, signal: AbortSignal, onFiles: (files: readonly FilePlaces[]) => void): Promise<ScanCounts> {
    const answer = await this.ask((id) => {
      signal.addEventListener('abort', () => { this.worker?.postMessage({ type: 'cancel', id } satisfies ToWorker); });
      return { type: 'scan', id, folders, cacheFile };
    }, onFiles);
    return answer.type === 'done' ? answer : { files: 0, cached: 0, tooLarge: 0 };
  }

  dispose(): void {
    clearTimeout(this.idle);
    void this.worker?.terminate();
    this.fail(new Error('the inspection was broken off'));
  }

  private ask(message: (id: number) => ToWorker, onFiles?: Request['onFiles']): Promise<FromWorker> {
    clearTimeout(this.idle);
    const id = ++this.lastId;
    return new Promise((resolve, reject) => {
      this.requests.set(id, { resolve, reject, onFiles });
      this.running().postMessage(message(id));
    });
  }

  private running(): Worker {
    if (this.worker) return this.worker;
    const worker = new Worker(this.script);
    worker.on('message', (message: FromWorker) => { this.receive(message); });
    worker.on('error', (error) => { this.fail(error); });
    worker.on('exit', () => { if (this.worker === worker) this.fail(new Error('the thread that inspects sources has ended')); });
    this.worker = worker;
    return worker;
  }

  private receive(message: FromWorker): void {
    const request = this.requests.get(message.id);
    if (message.type === 'found') return request?.onFiles?.(message.files);
    this.requests.delete(message.id);
    if (message.type === 'failed') request?.reject(new Error(message.message)); else request?.resolve(message);
    if (this.requests.size === 0) this.idle = setTimeout(() => { this.rest(); }, IDLE_MS).unref();
  }

  private rest(): void {
    const { worker } = this;
    this.worker = undefined;
    void worker?.terminate();
  }

  private fail(error: Error): void {
    this.worker = undefined;
    const open = [...this.requests.values()];
    this.requests.clear();
    for (const { reject } of open) reject(error);
  }
}
