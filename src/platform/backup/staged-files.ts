import { rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
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
        await rename(path.join(staging, name), target)
        folders.add(path.dirname(target))
      }
      for (const folder of folders) await syncDirectory(folder)
      await discard()
    },
    discard,
  }
}
