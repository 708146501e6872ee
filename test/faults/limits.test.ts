import { execFile } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { promisify } from 'node:util'
import pg from 'pg'
import { afterAll, beforeAll, expect } from 'vitest'
import { settingsOf } from '../support/partner.ts'
import { expectBooks, queryRows } from './books.ts'
import { type FaultDatabase, startDatabase } from './database.ts'
import { fault, noteRecovery } from './fault.ts'
import { rounds } from './options.ts'
import { createService, type FaultyService } from './service.ts'
import { openFaultShop, openTills, type Tills } from './tills.ts'

const REFUSALS = rounds(6, 2)
const HOLDS = rounds(4, 1)
const POOL = 4
const TILLS = 24
const MOST_RECOVERY_S = 10
/** Beside its pool a process has one connection for live events and one for `/health`. */
const MOST_CONNECTIONS = POOL + 2
/** Partners elsewhere, which no sale for cash asks: the reference partners would add connections of their own. */
const ELSEWHERE = { url: 'http://127.0.0.1:9', platformKey: 'none' }
const PARTNERS = {
  ...settingsOf(ELSEWHERE),
  MARKETING_PARTNER_URL: ELSEWHERE.url,
  MARKETING_PARTNER_KEY: ELSEWHERE.platformKey,
}

let database: FaultDatabase
let service: FaultyService
beforeAll(async () => {
  database = await startDatabase()
  service = await createService({
    env: { ...database.env, ...PARTNERS, DATABASE_POOL_SIZE: String(POOL) },
  })
  await service.start()
})
afterAll(async () => {
  await service?.stop()
  await service?.remove()
  await database?.stop()
})

const refusals = ({ ledger }: Tills) =>
  [...ledger.unavailable.values()].reduce((sum, count) => sum + count, 0)

const untilRefused = async (tills: Tills) => {
  const before = refusals(tills)
  await expect.poll(() => refusals(tills)).toBeGreaterThan(before + 20)
}

const SESSIONS = `select count(*)::int as count from pg_stat_activity where usename = 'kasir_service' and pid <> pg_backend_pid()`

fault(
  `PostgreSQL refuses connections: ${REFUSALS} times over its limit, tills are refused with 503 and sell on when there is room`,
  async ({ row }) => {
    const shop = await openFaultShop(service.address, 'refused@example.com')
    const tills = openTills(shop, { addresses: [service.address], name: 'refused' })
    for (let n = 1; n <= REFUSALS; n += 1) {
      await tills.acknowledged(20)
      // None at all, or fewer than the service wants.
      const limit = n % 2 === 1 ? 0 : 1
      await queryRows(database.adminUrl, `alter role kasir_service connection limit ${limit}`)
      const ended = `select pg_terminate_backend(pid) from pg_stat_activity where usename = 'kasir_service'`
      await queryRows(database.adminUrl, ended)
      await untilRefused(tills)
      await queryRows(database.adminUrl, 'alter role kasir_service connection limit -1')
      noteRecovery(row, await tills.recoveredS(performance.now()))
      row.rounds = n
    }
    await tills.close()
    await expectBooks(database.url, shop, tills, row)
    expect(row.worstRecoveryS).toBeLessThan(MOST_RECOVERY_S)
    row.remark = `${refusals(tills)} of 503`
  },
)

fault(
  `every connection of the pool is busy: ${TILLS} tills at ${POOL} connections behind a lock get 503 in time, and no connection is leaked`,
  async ({ row }) => {
    const shop = await openFaultShop(service.address, 'busy@example.com')
    const holder = new pg.Client({ connectionString: database.url })
    await holder.connect()
    const tills = openTills(shop, { addresses: [service.address], name: 'busy', count: TILLS })
    try {
      for (let n = 1; n <= HOLDS; n += 1) {
        await tills.acknowledged(50)
        await holder.query('begin')
        // In the order that sales take them, or the holder itself may be the end of a deadlock.
        await holder.query('select from stock_levels order by account_id, outlet_id, variant_id for update')
        await untilRefused(tills)
        await holder.query('rollback')
        noteRecovery(row, await tills.recoveredS(performance.now()))
        row.rounds = n
      }
      await tills.close()
    } finally {
      await holder.end()
    }
    expect(tills.ledger.unanswered, 'every request is answered within the ten seconds of a till').toBe(0)
    await expectBooks(database.url, shop, tills, row)
    const sessions = async () =>
      (await queryRows<{ count: number }>(database.adminUrl, SESSIONS))[0]?.count ?? 0
    await expect.poll(sessions).toBeLessThanOrEqual(MOST_CONNECTIONS)
    expect(row.worstRecoveryS).toBeLessThan(MOST_RECOVERY_S)
    row.remark = `${refusals(tills)} of 503`
  },
)

const HANDLES = 160
const EXHAUSTIONS = rounds(4, 1)

/** Opens connections that send nothing until the service has no handle left. */
async function exhaust(small: FaultyService): Promise<Socket[]> {
  const { hostname, port } = new URL(small.address())
  const sockets = Array.from({ length: 2 * HANDLES }, () => {
    const socket = connect(Number(port), hostname)
    socket.on('error', () => {})
    return socket
  })
  const handles = async () => (await readdir(`/proc/${small.pid()}/fd`)).length
  await expect.poll(handles).toBeGreaterThanOrEqual(HANDLES - 1)
  return sockets
}

fault(
  `file handles run out: ${EXHAUSTIONS} times under ${2 * HANDLES} idle connections at ${HANDLES} handles, the service stays and sells once they are gone`,
  async ({ row }) => {
    const small = await createService({ env: { ...database.env, DATABASE_POOL_SIZE: String(POOL) } })
    try {
      await small.start()
      const pid = small.pid()
      // A start opens more files than that for a moment.
      await promisify(execFile)('prlimit', ['--pid', String(pid), `--nofile=${HANDLES}:${HANDLES}`])
      const shop = await openFaultShop(small.address, 'handles@example.com')
      const tills = openTills(shop, { addresses: [small.address], name: 'handles' })
      for (let n = 1; n <= EXHAUSTIONS; n += 1) {
        await tills.acknowledged(30)
        const sockets = await exhaust(small)
        for (const socket of sockets) socket.destroy()
        noteRecovery(row, await tills.recoveredS(performance.now()))
        row.rounds = n
      }
      await tills.close()
      expect([small.isRunning(), small.pid()]).toEqual([true, pid])
      await expectBooks(database.url, shop, tills, row)
      expect(row.worstRecoveryS).toBeLessThan(MOST_RECOVERY_S)
    } finally {
      await small.stop()
      await small.remove()
    }
  },
)
