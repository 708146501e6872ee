import { open } from 'node:fs/promises'
import { invalid } from '../core/errors.ts'
import { orNull, systemCode } from '../platform/db/embedded/fault.ts'

const REASONS = {
  EACCES: 'this user is not allowed to',
  EISDIR: 'it is a directory',
  ENAMETOOLONG: 'its name is too long',
  ENOENT: 'its directory does not exist',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'part of its path is not a directory',
  EPERM: 'this user is not allowed to',
  EROFS: 'its disk is read-only',
} as const satisfies Record<string, string>

/** Lets a fault that the file system names end as one sentence (422 param `file`); any other stays as it is. */
function faultOf(error: unknown, file: string, verb: 'read' | 'written'): unknown {
  const reason = new Map(Object.entries(REASONS)).get(systemCode(error))
  const { path } = error as NodeJS.ErrnoException
  return reason === undefined ? error : invalid('file', `${path ?? file} cannot be ${verb}: ${reason}`)
}

/** Refuses a file that cannot be read, before anything is done with it. */
export async function requireReadable(file: string): Promise<void> {
  try {
    const handle = await orNull(open(file))
    if (handle === null) throw invalid('file', `There is no file ${file}`)
    try {
      // A directory opens, and a byte of a pipe could be read only once.
      if ((await handle.stat()).isDirectory())
        throw invalid('file', `${file} cannot be read: ${REASONS.EISDIR}`)
    } finally {
      await handle.close()
    }
  } catch (error) {
    throw faultOf(error, file, 'read')
  }
}

/** Refuses a file that cannot be written; one that is there keeps what it holds. */
export async function requireWritable(file: string): Promise<void> {
  await whileWriting(file, async () => (await open(file, 'a')).close())
}

/** Runs work that writes `file` or files beside it. */
export const whileWriting = <T>(file: string, work: () => Promise<T>): Promise<T> =>
  work().catch((error: unknown) => {
    throw faultOf(error, file, 'written')
  })
