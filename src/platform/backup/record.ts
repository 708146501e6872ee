import path from 'node:path'
import type pg from 'pg'
import { withClient } from '../db/client.ts'
import { MOST_AHEAD_MS } from './format.ts'

export type BackupRecord = {
  takenAt: string
  /** A path, or - for standard output. */
  file: string
  bytes: number | null
  isSound: boolean
  /** Whether it is to be restored as a test. */
  toVerify: boolean
}

const connectionTo = (url: string) => ({
  connectionString: url,
  connectionTimeoutMillis: 5_000,
  statement_timeout: 5_000,
  application_name: 'kasir-backup',
})

/** Lists a written file for the operator page. */
export const recordBackup = (url: string, { takenAt, file, bytes, isSound, toVerify }: BackupRecord) =>
  withClient(connectionTo(url), (client) =>
    client.query(
      `insert into backups (taken_at, file, bytes, sound, to_verify)
        values ($1, $2, $3, $4, $5) on conflict do nothing`,
      [takenAt, path.basename(file), bytes, isSound, toVerify],
    ),
  )

/** Records that this file was restored as a test. */
export const recordVerified = (url: string, file: string, now: string) =>
  withClient(connectionTo(url), (client) =>
    client.query('update backups set verified_at = $2 where file = $1 and verified_at is null', [
      path.basename(file),
      now,
    ]),
  )

export type NewestBackup = {
  file: string
  sound: boolean
  ageMs: number
  /**
   * The age of the newest verified backup; as long as none was verified, that of the first that was to be. Null if none was
   * to be verified.
   */
  verifiedAgeMs: number | null
}

const AGE_MS = (takenAt: string) => `($1::numeric - extract(epoch from ${takenAt}) * 1000)::float8`

/** Whether a recorded backup is not dated in the future, which would hide that the backups have stopped. */
export const PAST = `extract(epoch from taken_at) * 1000 - $1::numeric <= ${MOST_AHEAD_MS}`

/** The newest of the recorded backups; undefined if there is none. It does not look at the files. */
export async function findNewestBackup(
  client: Pick<pg.ClientBase, 'query'>,
  nowMs: number,
): Promise<NewestBackup | undefined> {
  const { rows } = await client.query<NewestBackup>(
    `select ${AGE_MS('taken_at')} as "ageMs", file, sound,
        (select ${AGE_MS('coalesce(max(taken_at) filter (where verified_at is not null), min(taken_at) filter (where to_verify))')}
          from backups where ${PAST}) as "verifiedAgeMs"
      from backups where ${PAST} order by taken_at desc limit 1`,
    [nowMs],
  )
  return rows[0]
}
