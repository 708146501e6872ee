import { createReadStream, rmSync } from 'node:fs'
import { chmod, lstat, mkdtemp, readdir, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { nullOnCodes } from '../core/fault.ts'
import { readBooks } from '../platform/backup/books.ts'
import { BackupError } from '../platform/backup/error.ts'
import { type Archive, readArchive } from '../platform/backup/read.ts'
import { restoreBackup } from '../platform/backup/restore.ts'
import { type EmbeddedDatabase, removeDatabase, startEmbedded } from '../platform/db/embedded.ts'
import { LOW_BYTES, readFreeBytes } from '../platform/files/free-space.ts'
import { stepBehind } from './priority.ts'

type Verification = {
  file: string
  /** Called if the file is damaged, before the error is thrown. */
  onDamaged(): Promise<void>
  /** A restore is not interruptible: aborting ends the process, after PostgreSQL. */
  signal: AbortSignal
}

const DIRECTORY = 'kasir-verify-'

/** Restores the backup into a database that exists only for this, with all checks of a restore. Throws a BackupError. */
export async function verifyBackup({ file, onDamaged, signal }: Verification): Promise<void> {
  let starting: Promise<EmbeddedDatabase> | null = null
  const restore = async () => {
    // After a restart this process may not have written the backup, and so still have the priority of a service.
    await stepBehind()
    await removeAbandoned()
    const archive = await readArchive(createReadStream(file)).catch(async (error: unknown) => {
      if (error instanceof BackupError) await onDamaged()
      throw error
    })
    await requireSpace(archive)
    await inTemporaryDirectory(async (dataDir, onStarted) => {
      starting = startEmbedded({ dataDir, command: 'backup', say: () => {}, signal })
      const { url, stop } = await starting
      onStarted()
      try {
        await restoreInto(url, file, archive)
      } finally {
        await stop()
      }
    })
  }
  const restoring = restore()
  let leaving = Promise.resolve()
  const leave = async () => {
    await starting?.then(({ stop }) => stop(0)).catch(() => {})
    // Without PostgreSQL the restore fails and removes its files. An exit beside it could leave some of them.
    await Promise.race([restoring.catch(() => {}), delay(LONGEST_CLEANUP_MS)])
    process.exit(0)
  }
  const onAbort = () => {
    leaving = leave()
  }
  signal.addEventListener('abort', onAbort)
  try {
    await restoring
  } catch (error) {
    await leaving
    throw error
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

const LONGEST_CLEANUP_MS = 5_000

const restoreInto = async (url: string, file: string, archive: Archive) =>
  restoreBackup({
    url,
    read: () => createReadStream(file),
    archive,
    books: await readBooks(),
    replace: null,
    acceptBroken: false,
    receive: {},
    progress: () => {},
  })

/** Call `onStarted` once PostgreSQL runs: an exit then stops it before its files are removed. */
async function inTemporaryDirectory(work: (dataDir: string, onStarted: () => void) => Promise<void>) {
  const directory = await mkdtemp(path.join(tmpdir(), DIRECTORY))
  const dataDir = path.join(directory, 'data')
  const removeOnExit = () => {
    try {
      // PostgreSQL may write its last files meanwhile. What stays is removed by the next verification.
      rmSync(directory, { recursive: true, force: true, maxRetries: 5 })
    } catch {}
  }
  const forgetExit = () => process.off('exit', removeOnExit)
  process.once('exit', removeOnExit)
  try {
    // Under root PostgreSQL runs as another user, which must reach its directory.
    await chmod(directory, 0o711)
    await work(dataDir, () => {
      // Exit handlers run in the order in which they were added, and PostgreSQL has added its own.
      forgetExit()
      process.once('exit', removeOnExit)
    })
  } finally {
    await remove(directory)
    forgetExit()
  }
}

/** Removes the copies of the books that killed verifications left behind. */
async function removeAbandoned() {
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(DIRECTORY)) continue
    const directory = path.join(tmpdir(), name)
    const found = await nullOnCodes(lstat(directory))
    // Other users may write to this folder too: only our own directories are touched, and no links.
    const isOurs = found?.isDirectory() && found.uid === (process.getuid?.() ?? found.uid)
    // A copy that cannot be removed is no reason to leave the new backup unverified.
    if (isOurs) await remove(directory).catch(() => {})
  }
}

/** Does nothing if another process uses the database in it. */
async function remove(directory: string) {
  if (!(await removeDatabase(path.join(directory, 'data')))) return
  await rm(directory, { recursive: true, force: true, maxRetries: 5 })
}

const MEBIBYTE = 2 ** 20
const GIBIBYTE = 2 ** 30
/** Rows with their indexes, and what the invariants sort, in bytes of the saved text. */
const RESTORED_PER_SAVED = 3
/** `max_wal_size` of the embedded database. */
const MOST_LOG_BYTES = 2 * GIBIBYTE
const EMPTY_CLUSTER_BYTES = 256 * MEBIBYTE
const TMPFS_MAGIC = 0x01021994

/** A verification that fills the disk of the database would stop every sale. Throws a BackupError before it begins. */
async function requireSpace({ manifest }: Archive) {
  const saved = manifest.tables.reduce((sum, { bytes }) => sum + bytes, 0)
  const rows = RESTORED_PER_SAVED * saved
  // A file system in memory has no database on it that needs the rest.
  const isInMemory = process.platform === 'linux' && (await statfs(tmpdir())).type === TMPFS_MAGIC
  const reserve = isInMemory ? 0 : LOW_BYTES
  const needed = EMPTY_CLUSTER_BYTES + rows + Math.min(rows, MOST_LOG_BYTES) + reserve
  const free = await readFreeBytes(tmpdir())
  if (free >= needed) return
  throw new BackupError(
    `The backup was not verified: that needs ${inMebibytes(needed)} in ${tmpdir()}, where ${inMebibytes(free)} are free. Free some space, or set TMPDIR to a directory on another disk.`,
  )
}

const inMebibytes = (bytes: number) => `${Math.round(bytes / MEBIBYTE)} MiB`
