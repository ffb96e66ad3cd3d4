/** What the extension and the worker thread that inspects sources say to each other. Ids are the asker's. */
import type { Place } from '../inspect/place';

export type ToWorker =
  /** Inspect every source below the folders. */
  | { readonly type: 'scan'; readonly id: number; readonly folders: readonly string[]; readonly cacheFile?: string }
  | { readonly type: 'cancel'; readonly id: number }
  /** Inspect one text, under the file name it has. */
  | { readonly type: 'inspect'; readonly id: number; readonly name: string; readonly text: string };

export type FromWorker =
  | { readonly type: 'found'; readonly id: number; readonly files: readonly FilePlaces[] }
  | ({ readonly type: 'done'; readonly id: number } & ScanCounts)
  | { readonly type: 'places'; readonly id: number; readonly places: readonly Place[] }
  | { readonly type: 'failed'; readonly id: number; readonly message: string };

/** The places of one file; only files that have any are told. */
export interface FilePlaces {
  /** Absolute path. */
  readonly file: string;
  readonly places: readonly Place[];
}

export interface ScanCounts {
  /** Sources looked at. */
  readonly files: number;
  /** Of these, those whose places were known from before. */
  readonly cached: number;
  /** Sources above `MAX_SOURCE_BYTES`, not looked at. */
  readonly tooLarge: number;
}
