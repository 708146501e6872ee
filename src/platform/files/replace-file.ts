import { randomUUID } from 'node:crypto'
import { rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { syncDirectory } from './directory.ts'
import { giveToOwner } from './owner.ts'

/** Atomic: after an interruption the file holds the old content or the new one. It gets the owner of its directory. */
export async function replaceFile(file: string, content: string, mode = 0o600): Promise<void> {
  const draft = `${file}.${randomUUID()}`
  try {
    await writeFile(draft, content, { mode, flag: 'wx', flush: true })
    await giveToOwner(draft)
    await rename(draft, file)
    await syncDirectory(path.dirname(file))
  } finally {
    await rm(draft, { force: true }).catch(() => {})
  }
}
