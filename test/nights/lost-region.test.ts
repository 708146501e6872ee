import { randomBytes } from 'node:crypto'
import { chmod, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'vitest'
import { startEmbedded } from '../../src/platform/db/embedded.ts'
import { copyRunning } from '../support/base-copy.ts'
import { callerAt, newLedger, openShopAt, type Shop } from '../support/tills.ts'
import { installationIn, openTills } from './installation.ts'
import { cutPower } from './processes.ts'
import { rowsAt, type Server, startServer } from './standby.ts'
import { step } from './step.ts'

/** The statements of docs/operations.md that an operator runs before a service starts. */
async function statementsAfterLoss(): Promise<string[]> {
  const page = await readFile(new URL('../../docs/operations.md', import.meta.url), 'utf8')
  const block = /## After sales were lost\n[^]*?```sql\n([^]*?)```/.exec(page)?.[1] ?? ''
  return block.split(/;\n/).filter((text) => text.trim() !== '')
}

/** Follows the first steps of docs/scaling.md, up to the start of the services. */
async function promoteByPage({ adminUrl, url, ready }: Server): Promise<void> {
  const page = await readFile(new URL('../../docs/scaling.md', import.meta.url), 'utf8')
  const block = /## Losing a region\n[^]*?### The steps\n[^]*?```sh\n([^]*?)```/.exec(page)?.[1] ?? ''
  const steps = block.split(/^(?=# \d\.)/m).filter((text) => text.includes('psql') || text.includes('lost'))
  expect(steps).toHaveLength(3)
  for (const text of steps) {
    for (const [, statement = ''] of text.matchAll(/-c "([^"]+)"/g)) await rowsAt(adminUrl, statement)
    await ready
    if (!text.includes('After sales were lost')) continue
    const statements = await statementsAfterLoss()
    expect(statements).toHaveLength(3)
    for (const one of statements) await rowsAt(url, one)
  }
}

type Sold = { id: string; number: string }
const salesAt = (url: string) => rowsAt<Sold>(url, 'select id, number from sales order by id')

/** Waits until the standby has what the primary has. */
const untilEqual = (primary: Server, standby: Server) =>
  expect
    .poll(
      async () => {
        const [end] = await rowsAt<{ lsn: string }>(primary.adminUrl, 'select pg_current_wal_lsn() as lsn')
        const [place] = await rowsAt<{ isThere: boolean }>(
          standby.adminUrl,
          `select coalesce(pg_last_wal_replay_lsn() >= '${end?.lsn}', false) as "isThere"`,
        ).catch(() => [])
        return place?.isThere ?? false
      },
      { timeout: 60_000 },
    )
    .toBe(true)

/** With synchronous replication a primary without its standby answers no sale with success. */
async function expectNothingAcknowledged({ adminUrl }: Server, { call, outletId, variants }: Shop) {
  const set = async (names: string) => {
    await rowsAt(adminUrl, `alter system set synchronous_standby_names = '${names}'`)
    await rowsAt(adminUrl, 'select pg_reload_conf()')
    const shown = () => rowsAt(adminUrl, 'show synchronous_standby_names')
    await expect.poll(shown).toEqual([{ synchronous_standby_names: names }])
  }
  await set('*')
  const items = [{ variantId: variants[0], quantity: 1 }]
  const key = { 'idempotency-key': 'while-cut-off' }
  const answer = await call('/sales', { outletId, items, status: 'COMPLETED' }, key).catch(() => null)
  expect([null, 409, 503]).toContain(answer?.status ?? null)
  await set('')
}

/** Reads the event log in the order of commits, from a cursor to its end. */
async function readEvents(address: string, { key }: Shop, from: string | null) {
  let cursor = from
  const ids: string[] = []
  for (;;) {
    const query = new URLSearchParams({
      order: 'oldest',
      limit: '100',
      ...(cursor === null ? {} : { cursor }),
    })
    const response = await fetch(`${address}/api/v1/events?${query.toString()}`, {
      headers: { authorization: `Bearer ${key}` },
    })
    const { data, meta } = (await response.json()) as {
      data: { id: string }[]
      meta: { cursor: string; hasMore: boolean }
    }
    ids.push(...data.map(({ id }) => id))
    cursor = meta.cursor
    if (!meta.hasMore) return { ids, cursor }
  }
}

step(
  'after a lost region the standby sells on: only the sales that it had not received are missing, and no receipt number or event position is used twice',
  async ({ say, remark }) => {
    const room = await mkdtemp(path.join(tmpdir(), 'kasir-nights-'))
    const [first, second] = ['first', 'second'].map((name) => path.join(room, name)) as [string, string]
    await chmod(room, 0o711)
    for (const directory of [first, second]) await mkdir(directory)
    await (await startEmbedded({ dataDir: first, say: () => {} })).stop()
    const primary = await startServer(first)
    await primary.ready
    const secret = randomBytes(32).toString('base64')
    const region = (name: string, url: string) =>
      installationIn(path.join(room, name), { DATABASE_URL: url, SECRETS_KEY: secret })
    const house = await region('house-1', primary.url)
    const roots = [primary.pid]
    try {
      await house.serve()
      const shop = await openShopAt(house.address)
      const ledger = newLedger()
      const busy = openTills(shop, ledger)
      await busy.sold(20)
      await copyRunning(primary.adminUrl, path.join(second, 'postgres'), 'standby.signal')
      const from = new URL(primary.adminUrl).searchParams.get('host')
      const standby = await startServer(second, {
        hot_standby: 'on',
        primary_conninfo: `host=${from} user=kasir`,
        // As in the configuration of its primary: it has no standby of its own.
        synchronous_standby_names: '*',
      })
      roots.push(standby.pid)
      await busy.sold(60)
      await busy.close()
      await untilEqual(primary, standby)
      const received = await salesAt(primary.url)

      // The line between the regions is cut.
      await rowsAt(standby.adminUrl, `alter system set primary_conninfo = ''`)
      await rowsAt(standby.adminUrl, 'select pg_reload_conf()')
      const streams = 'select count(*)::int as count from pg_stat_replication'
      await expect.poll(() => rowsAt(primary.adminUrl, streams)).toEqual([{ count: 0 }])
      await expectNothingAcknowledged(primary, shop)

      // Replication is asynchronous again: these sales are acknowledged, and the standby never gets them.
      const late = openTills(shop, newLedger())
      await late.sold(30)
      await late.close()
      const [variantId] = shop.variants
      const offlineSale = {
        outletId: shop.outletId,
        items: [{ variantId, quantity: 1, unitPrice: 10_000 }],
        offline: {
          ref: 'TILL-0001',
          soldAt: new Date().toISOString(),
          terms: { taxRateBps: 1_100 },
          printedTotal: 11_100,
        },
      }
      expect((await shop.call('/sales', offlineSale)).status).toBe(201)
      const lost = (await salesAt(primary.url)).filter(({ id }) => !received.some((sale) => sale.id === id))
      const seen = await readEvents(house.address(), shop, null)

      await cutPower(house.service().pid, primary.pid)
      const other = await region('house-2', standby.url)
      const early = other.command(['doctor'])
      expect(await early.ended, early.output()).toBe(1)
      expect(early.output()).toContain('read-only')
      const began = performance.now()
      await promoteByPage(standby)
      expect(await salesAt(standby.url), 'the standby has what it received').toEqual(received)
      try {
        await other.serve()
        const tookMs = Math.round(performance.now() - began)
        const shopThere: Shop = { ...shop, call: callerAt(other.address, shop.key) }
        const again = openTills(shopThere, ledger)
        await again.sold(40)
        await again.close()
        // A till sends a lost sale again only from a file that was saved before: it is made once.
        const answers = [
          await shopThere.call('/sales', offlineSale),
          await shopThere.call('/sales', offlineSale),
        ]
        expect(answers.map(({ status }) => status)).toEqual([201, 200])
        ledger.acknowledged.set('TILL-0001', answers[0]?.data.sale.id)
        await other.run('doctor')
        const now = await salesAt(standby.url)
        expect(now.map(({ id }) => id)).toEqual([...ledger.acknowledged.values()].toSorted())
        const made = now.filter(({ id }) => !received.some((sale) => sale.id === id))
        const twice = made.filter(({ number }) => lost.some((sale) => sale.number === number))
        const events = await rowsAt<{ id: string }>(
          standby.url,
          `select id from events where ref_id in (${made.map(({ id }) => `'${id}'`).join(', ')})`,
        )
        const read = new Set((await readEvents(other.address(), shop, seen.cursor)).ids)
        const missed = events.filter(({ id }) => !read.has(id))
        say(`${lost.length} acknowledged sales are lost; up again after ${tookMs} ms`)
        expect({ twice, missed }).toEqual({ twice: [], missed: [] })
        remark(`${received.length} sales kept, ${lost.length} lost, up again after ${tookMs} ms`)
      } finally {
        await other.remove()
      }
    } finally {
      await house.remove()
      await cutPower(...roots)
      await rm(room, { recursive: true, force: true })
    }
  },
)
