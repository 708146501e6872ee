import { chmod, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'vitest'
import { startEmbedded } from '../../src/platform/db/embedded.ts'
import { copyRunning } from '../support/base-copy.ts'
import { newLedger, openShopAt } from '../support/tills.ts'
import { installationIn, openTills } from './installation.ts'
import { queryingAt } from './standby.ts'
import { step } from './step.ts'

/** The command of docs/operations.md, with this directory as the archive. */
async function archiveCommand(directory: string): Promise<string> {
  const guide = await readFile(new URL('../../docs/operations.md', import.meta.url), 'utf8')
  const [, command = 'false'] = /archive_command = '([^']+)'/.exec(guide) ?? []
  return command.replaceAll('/archive/', `${directory}/`)
}

/** Waits until the write-ahead log up to now is in the archive. */
const archiveAll = (adminUrl: string) =>
  queryingAt(adminUrl, async (client) => {
    const { rows } = await client.query<{ name: string }>('select pg_walfile_name(pg_switch_wal()) as name')
    const archived = async () => {
      const found = await client.query<{ name: string }>(
        'select last_archived_wal as name from pg_stat_archiver',
      )
      return found.rows[0]?.name ?? ''
    }
    await expect.poll(async () => (await archived()) >= (rows[0]?.name ?? ''), { timeout: 60_000 }).toBe(true)
  })

const saleIds = (url: string) =>
  queryingAt(url, async (client) => {
    const { rows } = await client.query<{ id: string }>('select id from sales order by id')
    return rows.map(({ id }) => id)
  })

step(
  'a PostgreSQL of your own is recovered to the moment before a mistake: every sale until then is there, and the tills sell on',
  async ({ say, remark }) => {
    const room = await mkdtemp(path.join(tmpdir(), 'kasir-nights-'))
    const [wal, first, second] = ['wal', 'first', 'second'].map((name) => path.join(room, name)) as [
      string,
      string,
      string,
    ]
    await chmod(room, 0o711)
    for (const directory of [wal, first, second]) await mkdir(directory)
    // PostgreSQL may run as another user here; a real archive belongs to it.
    await chmod(wal, 0o777)
    const silent = { say: () => {} }
    let database = await startEmbedded({
      ...silent,
      dataDir: first,
      settings: { archive_mode: 'on', archive_command: await archiveCommand(wal) },
    })
    const house = await installationIn(path.join(room, 'house'), { DATABASE_URL: database.url })
    try {
      await house.serve()
      const shop = await openShopAt(house.address)
      const ledger = newLedger()
      const busy = openTills(shop, ledger)
      await busy.sold(50)
      await copyRunning(database.adminUrl, path.join(second, 'postgres'), 'recovery.signal')
      await busy.sold(100)
      await busy.close()
      const before = [...ledger.acknowledged.values()].toSorted()
      expect(await saleIds(database.url)).toEqual(before)
      const moment = await queryingAt(database.url, async (client) => {
        const { rows } = await client.query<{ now: string }>('select clock_timestamp()::text as now')
        return rows[0]?.now ?? ''
      })
      await queryingAt(database.url, (client) => client.query('update variants set price = 99000'))
      const later = openTills(shop, newLedger())
      await later.sold(20)
      await later.close()
      await archiveAll(database.adminUrl)
      await house.stop()
      await database.stop()

      const began = performance.now()
      database = await startEmbedded({
        ...silent,
        dataDir: second,
        settings: {
          restore_command: `cp ${wal}/%f %p`,
          recovery_target_time: moment,
          recovery_target_action: 'promote',
          hot_standby: 'off',
        },
      })
      const tookMs = Math.round(performance.now() - began)
      say(`${before.length} sales are recovered to ${moment} in ${tookMs} ms`)
      expect(await saleIds(database.url)).toEqual(before)
      house.env['DATABASE_URL'] = database.url
      await house.serve()
      await house.run('doctor')
      const prices = await queryingAt(database.url, (client) => client.query('select price from variants'))
      expect(prices.rows.map(({ price }) => Number(price))).toEqual([10_000, 10_000, 10_000])
      const again = openTills(shop, ledger)
      await again.sold(20)
      await again.close()
      expect(await saleIds(database.url)).toEqual([...ledger.acknowledged.values()].toSorted())
      remark(`${before.length} sales in ${tookMs} ms`)
    } finally {
      await house.remove()
      await database.stop()
      await rm(room, { recursive: true, force: true })
    }
  },
)
