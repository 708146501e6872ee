import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Enough that the service sees no shortage before the disk is filled. */
const SIZE = '1G'

export type SmallDisk = {
  kind: string
  /** A folder on the disk. */
  room: string
  freeBytes(): Promise<number>
  /** Leaves this much space, by one file. */
  fill(leftBytes: number): Promise<void>
  makeRoom(): Promise<void>
  remove(): Promise<void>
}

/** A small file system in a file; where loop devices are not allowed, one in memory. Returns the reason when neither can be mounted. */
export async function mountSmallDisk(): Promise<SmallDisk | string> {
  if (process.getuid?.() !== 0) return 'only root may mount a small file system'
  const home = await mkdtemp(path.join(tmpdir(), 'kasir-disk-'))
  await chmod(home, 0o711)
  const [image, room] = [path.join(home, 'image'), path.join(home, 'room')]
  await mkdir(room)
  const kinds = [
    { kind: `ext4 of ${SIZE} in a file`, mount: () => mountImage(image, room) },
    {
      kind: `tmpfs of ${SIZE}`,
      mount: () => run('mount', ['-t', 'tmpfs', '-o', `size=${SIZE}`, 'tmpfs', room]),
    },
  ]
  const reasons: string[] = []
  for (const { kind, mount } of kinds) {
    try {
      await mount()
      await chmod(room, 0o711)
      return { kind, room, ...diskIn(home, room) }
    } catch (error) {
      reasons.push(`no ${kind}: ${(error as Error).message.trim().split('\n').at(-1)}`)
    }
  }
  await rm(home, { recursive: true, force: true })
  return reasons.join('; ')
}

async function mountImage(image: string, room: string) {
  await run('truncate', ['-s', SIZE, image])
  await run('mkfs.ext4', ['-q', '-m', '0', image])
  await run('mount', ['-o', 'loop', image, room])
}

function diskIn(home: string, room: string) {
  const ballast = path.join(room, 'ballast')
  const freeBytes = async () => {
    const { bavail, bsize } = await statfs(room)
    return bavail * bsize
  }
  return {
    freeBytes,
    fill: async (leftBytes: number) => {
      await run('fallocate', ['-l', String((await freeBytes()) - leftBytes), ballast])
    },
    makeRoom: () => rm(ballast, { force: true }),
    remove: async () => {
      await run('umount', [room])
      await rm(home, { recursive: true, force: true })
    },
  }
}
