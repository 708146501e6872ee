import { mkdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { systemCode } from './db/embedded/fault.ts'

/**
 * Makes a directory and what is missing above it, and answers whether it was made. One at a time: Node's own recursive
 * way tries for ever where the system says ENOENT of a place that is there, as Linux does under /proc.
 */
export async function makeDirectory(directory: string, mode?: number): Promise<boolean> {
  const make = () => mkdir(directory, mode).then(() => true)
  const isDirectory = async () => (await stat(directory)).isDirectory()
  try {
    return await make()
  } catch (error) {
    if (systemCode(error) === 'EEXIST' && (await isDirectory())) return false
    const above = path.dirname(path.resolve(directory))
    if (systemCode(error) !== 'ENOENT' || above === path.resolve(directory)) throw error
    await makeDirectory(above)
    return await make().catch(async (again: unknown) => {
      // Another process was faster.
      if (systemCode(again) === 'EEXIST' && (await isDirectory())) return false
      throw again
    })
  }
}
