import path from 'node:path'
import { withClient } from '../db/client.ts'

export type BackupRecord = { takenAt: string; file: string; bytes: number | null; isSound: boolean }

const connectionTo = (url: string) => ({
  connectionString: url,
  connectionTimeoutMillis: 5_000,
  statement_timeout: 5_000,
  application_name: 'kasir-backup',
})

/** Lists a written file for the operator page. `file` is a path, or - for standard output. */
export const recordBackup = (url: string, { takenAt, file, bytes, isSound }: BackupRecord) =>
  withClient(connectionTo(url), (client) =>
    client.query(
      'insert into backups (taken_at, file, bytes, sound) values ($1, $2, $3, $4) on conflict do nothing',
      [takenAt, path.basename(file), bytes, isSound],
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
