import { Fact, RECORD_BYTES } from '../../src/model/facts';

/** The type of each record in a fact file, in the order in which they were written. */
export function* recordTypes(file: Buffer): Generator<number> {
  for (let at = 0; at < file.length; at += RECORD_BYTES) {
    yield file[at];
    if (file[at] === Fact.text) at += Math.ceil(file.readUInt32LE(at + 8) / RECORD_BYTES) * RECORD_BYTES;
  }
}
