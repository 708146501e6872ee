import { open } from 'node:fs/promises'
import { invalid } from '../core/errors.ts'
import { nullOnCodes, systemCode } from '../core/fault.ts'

const REASONS = {
  EACCES: 'this user is not allowed to',
  EDQUOT: 'the quota of this user is used up',
  EISDIR: 'it is a directory',
  ENAMETOOLONG: 'its name is too long',
  ENOENT: 'its directory does not exist',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'part of its path is not a directory',
  EPERM: 'this user is not allowed to',
  EROFS: 'its disk is read-only',
} as const satisfies Record<string, string>

/** Turns a known file-system error into one sentence (422 param `file`). Other errors pass through. */
function faultOf(error: unknown, file: string, verb: 'read' | 'written'): unknown {
  const reason = new Map(Object.entries(REASONS)).get(systemCode(error))
  const { path } = error as NodeJS.ErrnoException
  return reason === undefined ? error : invalid('file', `${path ?? file} cannot be ${verb}: ${reason}`)
}

/** Throws if the file cannot be read, before any work starts. */
export async function requireReadable(file: string): Promise<void> {
  try {
    const handle = await nullOnCodes(open(file))
    if (handle === null) throw invalid('file', `There is no file ${file}`)
    try {
      // Opening succeeds for a directory, and a test read would consume a byte of a pipe.
      if ((await handle.stat()).isDirectory())
        throw invalid('file', `${file} cannot be read: ${REASONS.EISDIR}`)
    } finally {
      await handle.close()
    }
  } catch (error) {
    throw faultOf(error, file, 'read')
  }
}

/** Throws if the file cannot be written. An existing file keeps its contents. */
export async function requireWritable(file: string): Promise<void> {
  await withWriteErrors(file, async () => (await open(file, 'a')).close())
}

/** Runs `work`, which writes `file` or files beside it. */
export const withWriteErrors = <T>(file: string, work: () => Promise<T>): Promise<T> =>
  work().catch((error: unknown) => {
    throw faultOf(error, file, 'written')
  })
