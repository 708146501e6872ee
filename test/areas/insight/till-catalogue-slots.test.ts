import pg from 'pg'
import { expect, test } from 'vitest'
import { makeOutlet } from '../../support/build.ts'
import { done } from '../../support/expect.ts'
import { acme, deps, globex, useService } from '../../support/service.ts'

useService({ env: { DATABASE_POOL_SIZE: '4' } })

const WAITING = `select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`

test('fifty requests for what changed in the catalogue leave a connection to other workspaces', async () => {
  const outletId = await makeOutlet(acme())
  const path = `/catalogue?outletId=${outletId}`
  const { version } = done(await acme().get(path))
  const other = new pg.Client({ connectionString: deps().pool.options.connectionString })
  await other.connect()
  try {
    await other.query('begin; lock table catalogue_changes in access exclusive mode')
    let answered = 0
    const asked = Array.from({ length: 50 }, async () => {
      const { status } = await acme().get(`${path}&since=${version}`)
      answered += 1
      return status
    })
    await expect
      .poll(async () => (await other.query(WAITING)).rows[0].n, { timeout: 20_000 })
      .toBeGreaterThan(1)
    expect([(await globex().get('/outlets')).status, answered]).toEqual([200, 0])
    await other.query('rollback')
    // A request that waited too long for the table gets 503 with Retry-After.
    expect(new Set([...(await Promise.all(asked)), 200, 503])).toEqual(new Set([200, 503]))
  } finally {
    await other.end()
  }
})
