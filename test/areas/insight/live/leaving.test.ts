import { request } from 'node:http'
import pg from 'pg'
import { expect, test } from 'vitest'
import { makeOutlet } from '../../../support/build.ts'
import { startHarness } from '../../../support/service.ts'
import { openStream } from '../../../support/stream.ts'

const WAITING = `select count(*)::int as n from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock'`

test('clients that leave while their streams are opening leave no stream behind, and no stop waits for them', async () => {
  const { harness, stop } = await startHarness({
    env: { DATABASE_POOL_SIZE: '60' },
    live: { perAccount: 20 },
  })
  const { acme, address, deps } = harness
  const outletId = await makeOutlet(acme)
  const [locker, watcher] = ['locker', 'watcher'].map(
    () => new pg.Client({ connectionString: deps.pool.options.connectionString }),
  ) as [pg.Client, pg.Client]
  await locker.connect()
  await watcher.connect()
  const endAll = async () => {
    await locker.end()
    await watcher.end()
    await stop()
  }
  let stopped = false
  try {
    await locker.query('begin')
    await locker.query('lock table outlets in access exclusive mode')
    const leaving = Array.from({ length: 20 }, () => {
      const sent = request(`${address}/api/v1/events/stream?outletId=${outletId}`, {
        headers: { authorization: `Bearer ${acme.workspace.key}` },
        agent: false,
      })
      sent.on('error', () => {})
      sent.end()
      return sent
    })
    const waiting = async () => (await watcher.query(WAITING)).rows[0].n
    await expect.poll(waiting, { timeout: 10_000 }).toBe(20)
    for (const sent of leaving) sent.destroy()
    const connections = () =>
      new Promise<number>((resolve) => harness.server.getConnections((_, count) => resolve(count)))
    await expect.poll(connections, { timeout: 10_000 }).toBeLessThan(20)
    await locker.query('commit')
    await expect.poll(waiting, { timeout: 10_000 }).toBe(0)
    await expect
      .poll(
        async () => {
          const stream = await openStream(address, acme.workspace.key, { query: `?outletId=${outletId}` })
          stream.close()
          return stream.status
        },
        { timeout: 3_000 },
      )
      .toBe(200)
    const began = performance.now()
    stopped = true
    await endAll()
    expect(performance.now() - began).toBeLessThan(8_000)
  } finally {
    if (!stopped) await endAll()
  }
})
