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
  const { uid, gid } = await stat(path.dirname(path.resolve(file)))
  if (uid !== 0)
    await nullOnCodes(
      lchown(file, uid, gid).then(() => true),
      'EPERM',
      'EINVAL',
    )
}
