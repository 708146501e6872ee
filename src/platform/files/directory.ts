import { mkdir, open, stat } from 'node:fs/promises'
import path from 'node:path'
import { systemCode } from '../../core/fault.ts'
import { giveToOwner } from './owner.ts'

/**
 * Makes a directory and its missing parents; returns whether it was created. Under root each belongs to the owner of its
 * parent. It creates one level per call: Node's own recursive option retries forever if the system reports ENOENT for an existing path, as Linux does under /proc.
 */
export async function makeDirectory(directory: string, mode?: number): Promise<boolean> {
  const make = async () => {
    await mkdir(directory, mode)
    await giveToOwner(directory)
    return true
  }
  const isDirectory = async () => (await stat(directory)).isDirectory()
  try {
    return await make()
  } catch (error) {
    if (systemCode(error) === 'EEXIST' && (await isDirectory())) return false
    const above = path.dirname(path.resolve(directory))
    if (systemCode(error) !== 'ENOENT' || above === path.resolve(directory)) throw error
    await makeDirectory(above)
    return await make().catch(async (again: unknown) => {
      // Another process created it first.
      if (systemCode(again) === 'EEXIST' && (await isDirectory())) return false
      throw again
    })
  }
}

/** Makes the names in a directory survive a power cut: files created, renamed or removed there. */
export async function syncDirectory(directory: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(directory, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
