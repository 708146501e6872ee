import type pg from 'pg'
import { type Finding, note, ok, warn } from './finding.ts'

const NAME = 'backups'
const HOUR_MS = 3_600_000
/** A daily backup may start late and take a while. */
const LATE_HOURS = 26

type NewestBackup = { ageMs: number; file: string; sound: boolean }

/** Checks the age of the newest backup that `kasir backup` has recorded. It does not look at the files. */
export async function backups(client: pg.ClientBase, nowMs: number): Promise<Finding> {
  const { rows } = await client.query<NewestBackup>(
    `select ($1 - extract(epoch from taken_at) * 1000)::float8 as "ageMs", file, sound
      from backups order by taken_at desc limit 1`,
    [nowMs],
  )
  const [newest] = rows
  if (newest === undefined) {
    return note(NAME, 'none is recorded; run kasir backup every day, and keep the files on another machine')
  }
  const hours = Math.floor(newest.ageMs / HOUR_MS)
  const name =
    newest.file === '-' ? 'the newest one, written to standard output,' : `the newest one, ${newest.file},`
  const age = hours === 1 ? '1 hour' : hours < 48 ? `${hours} hours` : `${Math.floor(hours / 24)} days`
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
  return ok(NAME, `${name} is ${age} old`)
}
