import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, open, rm, truncate, unlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

export type SmallDisk = {
  folder: string
  /** Leaves no byte free. */
  fill(): Promise<void>
  /** Gives the space back. */
  empty(): Promise<void>
  close(): Promise<void>
}

const BLOCK = Buffer.alloc(2 ** 20, 1)

/** A file system of its own; null where this machine mounts none for us. */
export async function openSmallDisk(mebibytes: number): Promise<SmallDisk | null> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return null
  const home = await mkdtemp(path.join(tmpdir(), 'kasir-disk-'))
  await chmod(home, 0o711)
  const folder = path.join(home, 'mounted')
  await mkdir(folder)
  const isMounted =
    (await mountImage(path.join(home, 'image'), folder, mebibytes)) || (await mountMemory(folder, mebibytes))
  if (!isMounted) {
    await rm(home, { recursive: true, force: true })
    return null
  }
  await chmod(folder, 0o711)
  const ballast = path.join(folder, 'ballast')
  return {
    folder,
    fill: () => fill(ballast),
    empty: () => unlink(ballast),
    close: async () => {
      await run('umount', ['--lazy', folder])
      await rm(home, { recursive: true, force: true })
    },
  }
}

const isDone = (work: Promise<unknown>) =>
  work.then(
    () => true,
    () => false,
  )

const mountImage = (image: string, folder: string, mebibytes: number) =>
  isDone(
    (async () => {
      await writeFile(image, '')
      await truncate(image, mebibytes * 2 ** 20)
      // No blocks are reserved for root, which runs these tests.
      await run('mkfs.ext4', ['-q', '-F', '-m', '0', image])
      await run('mount', ['-o', 'loop', image, folder])
    })(),
  )

const mountMemory = (folder: string, mebibytes: number) =>
  isDone(run('mount', ['-t', 'tmpfs', '-o', `size=${mebibytes}m`, 'tmpfs', folder]))

async function fill(ballast: string): Promise<void> {
  const file = await open(ballast, 'a')
  try {
    for (let step = BLOCK.length; step >= 4096; step /= 2) {
      // A short write is an error as well: the rest did not fit.
      while (await isDone(file.appendFile(BLOCK.subarray(0, step)))) {}
    }
    await file.sync().catch(() => {})
  } finally {
    await file.close()
  }
}
