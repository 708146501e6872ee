import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withDatabase } from '../../src/cli/database.ts'
import { examineDatabase } from '../../src/cli/doctor/database.ts'
import { makeDeps, prepareDatabase } from '../../src/main.ts'
import { readConfig } from '../../src/platform/config/config.ts'
import { findPooler } from '../../src/platform/db/pooler.ts'
import type { Finding } from '../../src/platform/doctor/finding.ts'
import { makeLog } from '../../src/platform/log/log.ts'
import { startDispatcher } from '../../src/platform/webhooks/dispatcher.ts'
import { makeTable, openShop } from '../support/build.ts'
import { cloneDatabase, type TestDatabase } from '../support/db.ts'
import { assertInvariants, done } from '../support/expect.ts'
import { withDatabase as databaseAt } from '../support/global-setup.ts'
import { pgbouncer, startPooler, type TestPooler } from '../support/pooler.ts'
import { startReceiver } from '../support/receiver.ts'
import { type Harness, startHarness } from '../support/service.ts'
import { openStream } from '../support/stream.ts'

if (pgbouncer === null)
  console.warn(
    'skipped: the service behind a pooler. No pgbouncer found (Debian: apt-get install pgbouncer).',
  )

describe.skipIf(pgbouncer === null)('behind pgbouncer in transaction mode', () => {
  let database: TestDatabase
  let pooler: TestPooler
  let pooled: string
  const settings = (more: Record<string, string> = {}) =>
    readConfig({ DATABASE_URL: pooled, ALLOW_UNSAFE_DATABASE: '1', ...more })
  const doctor = async (more: Record<string, string> = {}) => {
    const findings: Finding[] = []
    await examineDatabase(settings(more), (finding) => void findings.push(finding))
    return findings
  }

  beforeAll(async () => {
    database = await cloneDatabase()
    // Fewer connections than the service has: each transaction gets another one.
    pooler = await startPooler(database.url, [['default_pool_size = 20', 'default_pool_size = 4']])
    pooled = databaseAt(pooler.url, new URL(database.url).pathname.slice(1))
  })
  afterAll(async () => {
    await pooler.stop()
    await database.drop()
  })

  describe('a service', () => {
    let harness: Harness
    let stop: () => Promise<void>
    beforeAll(async () => {
      const shared = { ...database, pooledUrl: pooled, drop: async () => {} }
      const env = { WEBHOOK_ALLOW_PRIVATE_URLS: '1', WEBHOOK_RETRY_SCHEDULE: '0,1,1,1' }
      ;({ harness, stop } = await startHarness({ database: shared, env }))
    })
    afterAll(() => stop())

    test('signs up, sells at many tills at once, shows it on the boards of another process, and calls webhooks', async () => {
      const signedUp = done(
        await harness.as(null).post('/auth/signup', {
          email: 'ibu@example.com',
          password: 'a long password',
          businessName: 'Ibu',
        }),
      )
      expect(signedUp).toMatchObject({ user: { email: 'ibu@example.com' } })

      const { acme } = harness
      const { outletId, latte } = await openShop(acme)
      const receiver = await startReceiver()
      const dispatcher = startDispatcher({ ...harness.deps, random: Math.random })
      done(
        await acme.post('/webhook-subscriptions', {
          url: receiver.url,
          events: ['service.sale.completed.v1'],
        }),
      )
      const neighbour = await harness.alongside()
      const board = await openStream(neighbour.address, acme.workspace.key, {
        query: `?outletId=${outletId}`,
      })
      try {
        const sales = Array.from({ length: 24 }, (_, n) =>
          acme.post(
            '/sales',
            { outletId, status: 'COMPLETED', items: [{ variantId: latte, quantity: 1 }] },
            { idempotencyKey: `till-${n}` },
          ),
        )
        const answers = await Promise.all(sales)
        expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201))
        await makeTable(acme, outletId)
        await board.until((stream) => stream.frames().length > 0, 20_000)
        await expect.poll(() => receiver.received.length, { timeout: 20_000 }).toBe(24)
        await assertInvariants(harness.deps.db)
      } finally {
        board.close()
        await neighbour.stop()
        await dispatcher.stop()
        receiver.stop()
      }
    })
  })

  test('is found out by trial, PostgreSQL itself is not taken for one', async () => {
    expect(await findPooler(database.url)).toBe(null)
    expect(await findPooler(pooled)).toMatchObject({ sharesConnections: true, unlimited: [] })
  })

  test('no service and no command starts without LISTEN_URL, and the doctor says why', async () => {
    const why =
      /^DATABASE_URL leads to a pooler in transaction mode.*: set LISTEN_URL to the address of PostgreSQL itself/
    await expect(prepareDatabase(settings(), pooled)).rejects.toThrow(why)
    await expect(
      withDatabase(
        settings(),
        () => {},
        async () => {},
      ),
    ).rejects.toThrow(why)
    expect(await doctor()).toContainEqual(
      expect.objectContaining({ name: 'pooler', state: 'fault', found: expect.stringMatching(/LISTEN_URL/) }),
    )
    await expect(prepareDatabase(settings({ LISTEN_URL: pooled }), pooled)).rejects.toThrow(
      /^LISTEN_URL leads to a pooler in transaction mode/,
    )
  })

  test('with LISTEN_URL commands speak to PostgreSQL itself, and the doctor names the pooler', async () => {
    const reached = await withDatabase(
      settings({ LISTEN_URL: database.url }),
      () => {},
      async ({ url }) => url,
    )
    expect(reached).toBe(database.url)
    expect(await doctor({ LISTEN_URL: database.url })).toContainEqual(
      expect.objectContaining({
        name: 'pooler',
        state: 'ok',
        found: expect.stringMatching(/^one in transaction mode/),
      }),
    )
  })

  test('one whose connections have no time limits is refused', async () => {
    const careless = await startPooler(database.url, [['set lock_timeout = 5000', 'set lock_timeout = 0']])
    try {
      const url = databaseAt(careless.url, new URL(database.url).pathname.slice(1))
      const config = settings({ DATABASE_URL: url, LISTEN_URL: database.url })
      await expect(makeDeps({ config, url, log: makeLog('fatal') })).rejects.toThrow(
        /^The pooler at DATABASE_URL sets no lock_timeout, or too long a limit/,
      )
    } finally {
      await careless.stop()
    }
  })
})
