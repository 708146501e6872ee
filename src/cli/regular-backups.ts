import { createReadStream } from 'node:fs'
import { readdir, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { ApiError } from '../core/errors.ts'
import { nullOnCodes, StartError } from '../core/fault.ts'
import { addMs, epochMsOf } from '../core/time.ts'
import { BackupError } from '../platform/backup/error.ts'
import { MOST_AHEAD_MS } from '../platform/backup/format.ts'
import { readArchiveHeader } from '../platform/backup/read.ts'
import { systemClock } from '../platform/clock.ts'
import { errorReport } from '../platform/log/error-text.ts'
import { MARKS, type Mark } from './backup-marks.ts'
import { say } from './command.ts'
import { verifyBackup } from './verification.ts'

type Plan = {
  folder: string
  everyMs: number
  /** How many good backups stay, and how many with inconsistent books; null keeps all. */
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
    // Counted from when a backup was taken, not from when it was verified, so that each is due at the same time of day.
    dueMs = isGood
      ? ((await newestMs(folder)) ?? nowMs) + everyMs
      : systemClock.ms() + Math.min(RETRY_MS, everyMs)
    if (!signal.aborted) sayWhenDue(dueMs)
  }
}

const sayWhenDue = (dueMs: number) =>
  say(`The next backup is due at ${addMs(systemClock.now(), dueMs - systemClock.ms())}.`)

const waitMs = (ms: number, signal: AbortSignal) => delay(ms, undefined, { signal }).catch(() => {})

/** Takes, verifies and prunes. Returns whether the backup is good; says why it is not. */
async function takeOne(plan: Plan): Promise<boolean> {
  const { folder, keep, verifies, onVerified, signal } = plan
  try {
    const unverified = verifies ? await findUnverified(plan) : undefined
    const name = unverified ?? (await saveOne(plan))
    if (name === null) {
      say('No good backup is removed while the books are inconsistent.')
      if (keep !== null) await removeOlderInconsistent(folder, keep)
      return true
    }
    if (verifies) {
      const file = path.join(folder, name)
      if (signal.aborted) return false
      if (unverified !== undefined) say(`Verifying ${name}, which was not verified when it was written.`)
      // A damaged file never becomes a good backup; the next attempt writes another one.
      await verifyBackup({ file, onDamaged: () => removeAll(folder, [name]), signal })
      say('Verified: the backup was restored into a temporary database, and its books are consistent.')
      await unmark(file, 'unverified')
      await onVerified(file)
    }
    if (keep !== null) await removeOlder(folder, keep, name)
    return true
  } catch (error) {
    if (signal.aborted) return false
    say(`The backup failed: ${isForOperators(error) ? (error as Error).message : errorReport(error)}`)
    return false
  }
}

/** Writes a backup and returns its name; null if its books break an invariant. */
async function saveOne({ folder, keep, verifies, save }: Plan): Promise<string | null> {
  const name = nameAt(systemClock.now())
  const file = path.join(folder, name)
  // Marks the file before writing it, so that a crash never leaves an unchecked backup that counts as good.
  await mark(file, 'unverified')
  try {
    const isBroken = await save(file)
    if (isBroken) await mark(file, 'inconsistent')
    if (isBroken || !verifies) await unmark(file, 'unverified')
    if (keep !== null && verifies && !isBroken) await removeUnverified(folder, name)
    return isBroken ? null : name
  } catch (error) {
    // A file whose command failed afterwards may hold inconsistent books.
    if ((await nullOnCodes(stat(file))) === null) await unmark(file, 'unverified')
    throw error
  }
}

/** The backup of this interval if it could not be verified: it is verified again before another one is written. */
async function findUnverified({ folder, everyMs }: Plan): Promise<string | undefined> {
  const now = systemClock.now()
  const [earliest, latest] = [nameAt(addMs(now, -everyMs)), nameAt(now)]
  const { names, unverified } = await listFolder(folder)
  return names.filter((name) => unverified.has(name) && name > earliest && name <= latest).at(-1)
}

/** The new backup replaces those that were never verified, so that they do not fill the disk. */
async function removeUnverified(folder: string, except: string) {
  const { names, unverified } = await listFolder(folder)
  await removeAll(
    folder,
    names.filter((name) => unverified.has(name) && name !== except),
  )
}

const mark = (file: string, as: Mark) => writeFile(`${file}${MARKS[as]}`, '', { mode: 0o600 })
const unmark = (file: string, as: Mark) => rm(`${file}${MARKS[as]}`, { force: true })

const isForOperators = (error: unknown) =>
  [BackupError, StartError, ApiError].some((known) => error instanceof known)

/** The backups of this command by the date in their names, and those among them that have a mark. */
async function listFolder(folder: string) {
  const files = new Set(await readdir(folder))
  const names = [...files].filter((name) => OWN_NAME.test(name)).sort()
  const marked = (as: Mark) => new Set(names.filter((name) => files.has(`${name}${MARKS[as]}`)))
  return { names, unverified: marked('unverified'), inconsistent: marked('inconsistent') }
}

/**
 * When the newest backup of this command was taken; null if there is none that can be read and needs no verification. A date
 * in the future comes from a clock that was ahead, and would delay the next backup until then.
 */
async function newestMs(folder: string): Promise<number | null> {
  const { names, unverified } = await listFolder(folder)
  for (const name of names.toReversed()) {
    if (unverified.has(name)) continue
    const header = await readArchiveHeader(createReadStream(path.join(folder, name))).catch(() => null)
    const takenMs = header === null ? null : epochMsOf(header.createdAt)
    if (takenMs !== null && takenMs <= systemClock.ms() + MOST_AHEAD_MS) return takenMs
  }
  return null
}

/**
 * Removes backups older than the last `keep` good backups. `taken` is the newest one: a file with a later date was written while
 * the clock was ahead, and goes first.
 */
async function removeOlder(folder: string, keep: number, taken: string): Promise<void> {
  const { names, unverified, inconsistent } = await listFolder(folder)
  const inOrder = [...names.filter((name) => name > taken), ...names.filter((name) => name <= taken)]
  const oldest = inOrder.filter((name) => !unverified.has(name) && !inconsistent.has(name)).at(-keep)
  if (oldest !== undefined) await removeAll(folder, inOrder.slice(0, inOrder.indexOf(oldest)))
}

/** Each backup of inconsistent books adds a file, so these are limited too. The good ones stay. */
async function removeOlderInconsistent(folder: string, keep: number): Promise<void> {
  const { names, inconsistent } = await listFolder(folder)
  await removeAll(folder, names.filter((name) => inconsistent.has(name)).slice(0, -keep))
}

async function removeAll(folder: string, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const file = path.join(folder, name)
    await rm(file, { force: true })
    for (const ending of Object.values(MARKS)) await rm(`${file}${ending}`, { force: true })
  }
  if (names.length > 0) say(`Removed: ${names.join(', ')}.`)
}
