/** The worker thread that inspects sources, so that the extension host never waits for a parser. */
import { parentPort } from 'node:worker_threads';
import { inspect } from '../inspect/inspect';
import type { FilePlaces, FromWorker, ToWorker } from './protocol';
import { scan } from './scan';

const BATCH = 100;
const scans = new Map<number, AbortController>();

const say = (message: FromWorker): void => { parentPort?.postMessage(message); };

parentPort?.on('message', (message: ToWorker) => {
  if (message.type === 'cancel') scans.get(message.id)?.abort();
  else answer(message).catch((error: unknown) => { say({ type: 'failed', id: message.id, message: error instanceof Error ? error.message : String(error) }); });
});

async function answer(message: Exclude<ToWorker, { readonly type: 'cancel' }>): Promise<void> {
  const { id } = message;
  if (message.type === 'inspect') return say({ type: 'places', id, places: inspect(message.text, message.name) });
  const controller = new AbortController();
  scans.set(id, controller);
  let batch: FilePlaces[] = [];
  const flush = (): void => {
    if (batch.length > 0) say({ type: 'found', id, files: batch });
    batch = [];
  };
  try {
    const counts = await scan({
      folders: message.folders, cacheFile: message.cacheFile, signal: controller.signal,
      onFile: (file) => { if (batch.push(file) >= BATCH) flush(); },
    });
    flush();
    say({ type: 'done', id, ...counts });
  } finally {
    scans.delete(id);
  }
}
