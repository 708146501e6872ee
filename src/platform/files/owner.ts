import { lchown, stat } from 'node:fs/promises'
import path from 'node:path'
import { nullOnCodes } from '../../core/fault.ts'

export const isRoot = (): boolean => process.getuid?.() === 0

/**
 * Under root, gives a new file or directory to the owner of its parent, so that a service that runs as that user can read
 * it. A container whose root may not change owners keeps it.
 */
export async function giveToOwner(file: string): Promise<void> {
  if (!isRoot()) return
  const directory = await stat(path.dirname(path.resolve(file)))
  if (directory.uid !== 0) await giveTo(file, directory)
}

/** Under root, gives a file to this user and group, where root may change owners. */
export async function giveTo(file: string, { uid, gid }: { uid: number; gid: number }): Promise<void> {
  if (!isRoot()) return
  await nullOnCodes(
    lchown(file, uid, gid).then(() => true),
    'EPERM',
    'EINVAL',
  )
}
