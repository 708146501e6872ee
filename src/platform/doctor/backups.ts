import type pg from 'pg'
import { findNewestBackup, type NewestBackup, PAST } from '../backup/record.ts'
import { type Finding, note, ok, warn } from './finding.ts'

const NAME = 'backups'
const HOUR_MS = 3_600_000
/** A daily backup may start late and take a while. */
const LATE_HOURS = 26

/** A daily verified backup is older than a day while the next one is verified. */
const UNVERIFIED_HOURS = 48

/** Checks the backups that `kasir backup` has recorded. It does not look at the files. */
export async function backups(client: pg.ClientBase, nowMs: number): Promise<Finding[]> {
  const age = ageOf(await findNewestBackup(client, nowMs))
  if (age.state === 'ok') return [age]
  const future = await client.query<{ file: string }>(
    `select file from backups where not (${PAST}) order by taken_at desc limit 1`,
    [nowMs],
  )
  return [...future.rows.map(fromTheFuture), age]
}

const fromTheFuture = ({ file }: { file: string }) =>
  warn(NAME, `${file} is dated in the future`, 'Check the clock of this machine, then run kasir backup.')

/** Checks the age of the newest backup, and of the newest verified one. */
function ageOf(newest: NewestBackup | undefined): Finding {
  if (newest === undefined) {
    return note(NAME, 'none is recorded; run kasir backup every day, and keep the files on another machine')
  }
  const hours = Math.floor(newest.ageMs / HOUR_MS)
  const name =
    newest.file === '-' ? 'the newest one, written to standard output,' : `the newest one, ${newest.file},`
  const age = describeHours(hours)
  if (hours >= LATE_HOURS) {
    return warn(
      NAME,
      `${name} is ${age} old`,
      'Run kasir backup, and find out why the scheduled one did not run.',
    )
  }
  if (!newest.sound) {
    return warn(
      NAME,
      `the books in ${name} break an invariant`,
      'Report the rows that kasir doctor prints: this is a defect of Kasir. Keep the last good backup.',
    )
  }
  const verified = Math.floor((newest.verifiedAgeMs ?? 0) / HOUR_MS)
  if (verified >= UNVERIFIED_HOURS) {
    return warn(
      NAME,
      `${name} is ${age} old, but none was verified for ${describeHours(verified)}`,
      'Read the log of kasir backup --every --verify: it says why the backups are not verified.',
    )
  }
  return ok(NAME, `${name} is ${age} old`)
}

const describeHours = (hours: number) =>
  hours === 1 ? '1 hour' : hours < 48 ? `${hours} hours` : `${Math.floor(hours / 24)} days`
