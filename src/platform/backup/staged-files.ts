import { randomUUID } from 'node:crypto'
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { nullOnCodes, systemCode } from '../../core/fault.ts'
import { makeDirectory, syncDirectory } from '../files/directory.ts'
import { giveToOwner } from '../files/owner.ts'

/** Only one restore at a time writes to a data directory. It first removes the files of a killed restore. */
const STAGING = 'restoring'

/** The files of a backup, held back until the rows that refer to them are committed. */
export type StagedFiles = {
  /** `name` is a path below the root, as `entryOf` accepts it. */
  add(name: string, content: Buffer): Promise<void>
  /** Moves every file to its place. A file that is already there under the same name has the same content. */
  publish(): Promise<void>
  discard(): Promise<void>
}

/**
 * Starts an empty staging folder under `root`, whose owner gets every file and folder. Files moved by `publish` survive a
 * power cut.
 */
export async function stageFiles(root: string): Promise<StagedFiles> {
  const staging = path.join(root, STAGING)
  const names = new Set<string>()
  const discard = () => rm(staging, { recursive: true, force: true })
  await discard()
  return {
    add: async (name, content) => {
      const target = path.join(staging, name)
      await makeDirectory(path.dirname(target), 0o700)
      await writeFile(target, content, { mode: 0o600, flush: true })
      await giveToOwner(target)
      names.add(name)
    },
    publish: async () => {
      const folders = new Set<string>()
      for (const name of names) {
        const target = path.join(root, name)
        await makeDirectory(path.dirname(target), 0o700)
        await moveInto(root, name, path.join(staging, name))
        folders.add(path.dirname(target))
      }
      for (const folder of folders) await syncDirectory(folder)
      await discard()
    },
    discard,
  }
}

/** The folder that a restore was cut off with, while its files wait there; null if there is none. */
export async function findInterruptedRestore(root: string): Promise<string | null> {
  const staging = path.join(root, STAGING)
  const found = await nullOnCodes(readdir(staging), 'ENOENT', 'ENOTDIR', 'EACCES')
  return found === null || found.length === 0 ? null : staging
}

/**
 * The folder of uploads may be on another disk, through a link or a mount. A file is then copied to that disk first, into
 * the folder for parts, which the service tidies after a kill.
 */
async function moveInto(root: string, name: string, from: string): Promise<void> {
  const target = path.join(root, name)
  const isMoved = await rename(from, target).then(
    () => true,
    (error: unknown) => {
      if (systemCode(error) === 'EXDEV') return false
      throw error
    },
  )
  if (isMoved) return
  const parts = path.join(root, name.split('/')[0] ?? '', 'parts')
  const part = path.join(parts, randomUUID())
  try {
    await makeDirectory(parts, 0o700)
    await writeFile(part, await readFile(from), { mode: 0o600, flag: 'wx', flush: true })
    await giveToOwner(part)
    await rename(part, target)
  } finally {
    await rm(part, { force: true }).catch(() => {})
  }
}
