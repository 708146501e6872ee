import { createReadStream, rmSync } from 'node:fs'
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { ApiError } from '../core/errors.ts'
import { StartError } from '../core/fault.ts'
import { addMs, epochMsOf } from '../core/time.ts'
import { readBooks } from '../platform/backup/books.ts'
import { BackupError } from '../platform/backup/error.ts'
import { readArchive, readArchiveHeader } from '../platform/backup/read.ts'
import { restoreBackup } from '../platform/backup/restore.ts'
import { systemClock } from '../platform/clock.ts'
import { startEmbedded } from '../platform/db/embedded.ts'
import { errorReport } from '../platform/log/error-text.ts'
import { say } from './command.ts'

type Plan = {
  folder: string
  everyMs: number
  /** How many good backups stay; null keeps all. */
  keep: number | null
  /** Restores each backup into a temporary database before older ones are removed. */
  verifies: boolean
  /** Writes a backup and returns whether its books break an invariant. */
  save(file: string): Promise<boolean>
  /** Called after a backup was restored as a test. */
  onVerified(file: string): Promise<void>
  signal: AbortSignal
}

/** After a failed backup the next attempt follows so soon, or after one interval if that is shorter. */
const RETRY_MS = 15 * 60_000
/** The longest delay that a timer takes is 24 days; a long interval is waited for in parts. */
const LONGEST_WAIT_MS = 60 * 60_000

/** Removes only files with such a name, so files that an operator has named stay. */
const OWN_NAME = /^kasir-\d{8}T\d{6}Z\.tar\.gz$/
const nameAt = (instant: string) => `kasir-${instant.slice(0, 19).replaceAll(/[-:]/g, '')}Z.tar.gz`

/** Takes a backup whenever the newest one in the folder is older than the interval, until the signal ends it. */
export async function backUpRegularly(plan: Plan): Promise<void> {
  const { folder, everyMs, signal } = plan
  let dueMs = ((await newestMs(folder)) ?? 0) + everyMs
  if (dueMs > systemClock.ms()) sayWhenDue(dueMs)
  while (!signal.aborted) {
    const nowMs = systemClock.ms()
    if (dueMs > nowMs) {
      // A clock that was set back must not delay the next backup by more than one interval.
      dueMs = Math.min(dueMs, nowMs + everyMs)
      await waitMs(Math.min(dueMs - nowMs, LONGEST_WAIT_MS), signal)
      continue
    }
    const isGood = await takeOne(plan)
    dueMs = systemClock.ms() + (isGood ? everyMs : Math.min(RETRY_MS, everyMs))
    if (!signal.aborted) sayWhenDue(dueMs)
  }
}

const sayWhenDue = (dueMs: number) =>
  say(`The next backup is due at ${addMs(systemClock.now(), dueMs - systemClock.ms())}.`)

const waitMs = (ms: number, signal: AbortSignal) => delay(ms, undefined, { signal }).catch(() => {})

/** Takes, verifies and prunes. Returns whether the backup is good; says why it is not. */
async function takeOne({ folder, keep, verifies, save, onVerified, signal }: Plan): Promise<boolean> {
  const file = path.join(folder, nameAt(systemClock.now()))
  try {
    if (await save(file)) {
      say('No older backup is removed while the books are inconsistent.')
      return true
    }
    if (verifies) {
      await verify(file, signal)
      await onVerified(file)
    }
    if (keep !== null) await removeOlder(folder, keep)
    return true
  } catch (error) {
    if (signal.aborted) return false
    say(`The backup failed: ${isForOperators(error) ? (error as Error).message : errorReport(error)}`)
    return false
  }
}

const isForOperators = (error: unknown) =>
  [BackupError, StartError, ApiError].some((known) => error instanceof known)

/** Restores the backup into a database that exists only for this, with all checks of a restore. Throws a BackupError. */
async function verify(file: string, signal: AbortSignal): Promise<void> {
  const room = await mkdtemp(path.join(tmpdir(), 'kasir-verify-'))
  // A restore is not interruptible: the process ends, and its exit hooks stop PostgreSQL and remove the copy.
  const remove = () => rmSync(room, { recursive: true, force: true })
  const leave = () => process.exit(0)
  process.once('exit', remove)
  signal.addEventListener('abort', leave)
  try {
    // Under root PostgreSQL runs as another user, which must reach its directory.
    await chmod(room, 0o711)
    const read = () => createReadStream(file)
    const archive = await readArchive(read())
    const { url, stop } = await startEmbedded({ dataDir: path.join(room, 'data'), say: () => {} })
    try {
      await restoreBackup({
        url,
        read,
        archive,
        books: await readBooks(),
        replace: null,
        acceptBroken: false,
        receive: {},
        progress: () => {},
      })
    } finally {
      await stop()
    }
    say('Verified: the backup was restored into a temporary database, and its books are consistent.')
  } finally {
    signal.removeEventListener('abort', leave)
    process.off('exit', remove)
    await rm(room, { recursive: true, force: true })
  }
}

const ownFiles = async (folder: string) =>
  (await readdir(folder)).filter((name) => OWN_NAME.test(name)).sort()

/** When the newest backup of this command was taken; null if there is none that can be read. */
async function newestMs(folder: string): Promise<number | null> {
  for (const name of (await ownFiles(folder)).toReversed()) {
    const header = await readArchiveHeader(createReadStream(path.join(folder, name))).catch(() => null)
    if (header !== null) return epochMsOf(header.createdAt)
  }
  return null
}

async function removeOlder(folder: string, keep: number): Promise<void> {
  const older = (await ownFiles(folder)).slice(0, -keep)
  for (const name of older) await rm(path.join(folder, name), { force: true })
  if (older.length > 0) say(`Removed: ${older.join(', ')}.`)
}
