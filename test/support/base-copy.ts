import { execFile } from 'node:child_process'
import { rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { withClient } from '../../src/platform/db/client.ts'

const run = promisify(execFile)

/** A copy of the running cluster, as pg_basebackup makes it. `signal` names the file that says how it starts. */
export async function copyRunning(
  adminUrl: string,
  to: string,
  signal: 'recovery.signal' | 'standby.signal',
): Promise<void> {
  await withClient({ connectionString: adminUrl }, async (client) => {
    const { rows } = await client.query<{ directory: string }>(
      `select setting as directory from pg_settings where name = 'data_directory'`,
    )
    await client.query(`select pg_backup_start('nightly', true)`)
    await run('cp', ['-a', rows[0]?.directory ?? '', to])
    const stopped = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)')
    await writeFile(path.join(to, 'backup_label'), stopped.rows[0]?.labelfile ?? '')
    await rm(path.join(to, 'postmaster.pid'), { force: true })
    await run('sh', ['-c', `rm -rf pg_wal/* .s.PGSQL.* && touch ${signal}`], { cwd: to })
    await run('chown', ['-R', '--reference', to, to])
  })
}
