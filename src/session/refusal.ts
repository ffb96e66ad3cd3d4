/** Something that cannot be done as asked. The message is the sentence for the user; `code` stays the same for translation and tests. */
export class Refusal extends Error {
  constructor(readonly code: string, message: string) {
    super(message);
    this.name = 'Refusal';
  }
}

/** The system's word for an error (`ENOENT`), where it has one. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** What went wrong with a file, as the end of a sentence: "no space is left on the disk". */
export function fileTrouble(error: unknown): string {
  switch (errorCode(error)) {
    case 'ENOENT': return 'it does not exist';
    case 'ENOSPC': return 'no space is left on the disk';
    case 'EDQUOT': return 'the disk quota is used up';
    case 'EACCES': case 'EPERM': return 'access is denied';
    case 'EROFS': return 'the file system is read-only';
    case 'EISDIR': return 'it is a folder';
    case 'ENOTDIR': return 'a part of its path is no folder';
    default: return error instanceof Error ? error.message : String(error);
  }
}
