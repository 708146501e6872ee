import { randomUUID } from 'node:crypto'
import { chmod, rename, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { nullOnCodes } from '../../core/fault.ts'
import { syncDirectory } from './directory.ts'
import { giveTo, giveToOwner } from './owner.ts'

/**
 * Atomic: after an interruption the file holds the old content or the new one. It keeps its owner and mode; a new file
 * gets `mode` and the owner of its directory.
 */
export async function replaceFile(file: string, content: string, mode = 0o600): Promise<void> {
  const draft = `${file}.${randomUUID()}`
  try {
    const before = await nullOnCodes(stat(file), 'ENOENT')
    await writeFile(draft, content, { mode, flag: 'wx', flush: true })
    if (before === null) await giveToOwner(draft)
    else {
      await giveTo(draft, before)
      await chmod(draft, before.mode & 0o777)
    }
    await rename(draft, file)
    await syncDirectory(path.dirname(file))
  } finally {
    await rm(draft, { force: true }).catch(() => {})
  }
}
