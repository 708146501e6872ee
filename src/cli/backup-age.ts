import { createReadStream } from 'node:fs'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { systemCode } from '../core/fault.ts'
import { epochMsOf } from '../core/time.ts'
import { BackupError } from '../platform/backup/error.ts'
import { MOST_AHEAD_MS } from '../platform/backup/format.ts'
import { readArchive, readArchiveHeader } from '../platform/backup/read.ts'
import { systemClock } from '../platform/clock.ts'
import { MARKS } from './backup-marks.ts'
import { say, UsageError } from './command.ts'
import { BROKEN_BOOKS, describeExamination } from './describe-backup.ts'
import { stepBehind } from './priority.ts'

const MINUTE_MS = 60_000
const UNITS: Readonly<Record<string, number>> = { m: MINUTE_MS, h: 60 * MINUTE_MS, d: 24 * 60 * MINUTE_MS }

/**
 * Finds a complete backup with consistent books in `folder` that is not older than `age`. It reads the newest files to
 * the end, because a file's name and date do not prove its contents.
 */
export async function checkBackupAge(folder: string, age: string): Promise<void> {
  const limitMs = durationIn(age, '--check-age')
  await stepBehind()
  const now = systemClock.ms()
  let isBroken = false
  let older: Candidate | null = null
  for (const candidate of await candidatesIn(folder, now)) {
    if (candidate.ageMs > limitMs) {
      older = candidate
      break
    }
    const found = await examine(candidate)
    if (found === 'good') return say(`The last good backup is ${inWords(candidate)}.`)
    isBroken ||= found === 'broken'
  }
  if (isBroken) {
    say(
      `The books of every whole backup of the last ${age} break an invariant. A restore needs --accept-broken.`,
    )
    process.exitCode = BROKEN_BOOKS
    return
  }
  const last = older === null ? '' : ` The newest one before that is ${inWords(older)}.`
  throw new BackupError(`There is no good backup of the last ${age} in ${folder}.${last}`)
}

/** The milliseconds of `90m`, `26h` or `8d`. Throws a UsageError that names the option. */
export function durationIn(text: string, option: string): number {
  const [, count, unit = ''] = /^([1-9]\d{0,4})([mhd])$/.exec(text) ?? []
  const unitMs = UNITS[unit]
  if (count === undefined || unitMs === undefined)
    throw new UsageError(`${option} takes minutes, hours or days, such as 90m, 26h or 8d`)
  return Number(count) * unitMs
}

type Candidate = { file: string; createdAt: string; ageMs: number }

function inWords({ file, createdAt, ageMs }: Candidate): string {
  const minutes = Math.max(0, Math.floor(ageMs / MINUTE_MS))
  const old = minutes < 120 ? `${minutes} minutes` : `${Math.floor(minutes / 60)} hours`
  return `${path.basename(file)} of ${createdAt}, ${old} old`
}

const passOver = (file: string, reason: string) => say(`Not counted: ${path.basename(file)}. ${reason}`)

/** Returns the backups in a folder, newest first, by the date in their first entry. */
async function candidatesIn(folder: string, now: number): Promise<Candidate[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    throw new BackupError(`The directory ${folder} cannot be read (${systemCode(error)}).`)
  })
  const candidates: Candidate[] = []
  const names = new Set(entries.map(({ name }) => name))
  for (const entry of entries) {
    if (entry.isDirectory() || !entry.name.endsWith('.tar.gz')) continue
    const file = path.join(folder, entry.name)
    if (names.has(`${entry.name}${MARKS.unverified}`)) {
      passOver(file, 'It is not verified, or its backup did not finish.')
      continue
    }
    const header = await unlessFaulty(file, readArchiveHeader(createReadStream(file)))
    if (header === null) continue
    const { createdAt } = header
    const ageMs = now - epochMsOf(createdAt)
    if (ageMs >= -MOST_AHEAD_MS) candidates.push({ file, createdAt, ageMs })
    else passOver(file, `It is dated ${createdAt}, in the future: check the clock.`)
  }
  return candidates.sort((one, other) => one.ageMs - other.ageMs)
}

async function examine({ file }: Candidate): Promise<'good' | 'broken' | 'unusable'> {
  const archive = await unlessFaulty(file, readArchive(createReadStream(file)))
  if (archive === null) return 'unusable'
  const { isBroken, lines } = describeExamination(archive)
  if (!isBroken) return 'good'
  passOver(file, lines.join('\n'))
  return 'broken'
}

/** Returns null if the file is not a backup or cannot be read. Says why, unless the file was removed meanwhile. */
async function unlessFaulty<T>(file: string, reading: Promise<T>): Promise<T | null> {
  try {
    return await reading
  } catch (error) {
    if (error instanceof BackupError) passOver(file, error.message)
    else if (systemCode(error) === '') throw error
    else if (systemCode(error) !== 'ENOENT') passOver(file, `It cannot be read (${systemCode(error)}).`)
    return null
  }
}
