import path from 'node:path'
import type pg from 'pg'
import type { Browser, Page } from 'playwright-core'
import { rollWorkspace } from '../../src/areas/insight/reports/roll.ts'
import { forget, listOutlets, restart } from '../../src/areas/insight/reports/store-roll.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { inTx, openDb } from '../../src/platform/db/open.ts'
import type { AccountId } from '../../src/platform/scope.ts'
import { type Database, freshDatabase, setsOf, settle } from '../lib/database.ts'
import { median, percentile, table, whole } from '../lib/figures.ts'
import { writeHistory } from '../lib/history.ts'
import { launchBrowser, newContext, openShop, type RegisterShop } from '../lib/register.ts'
import { startService } from '../lib/service.ts'
import type { Options, Report, Row, Suite } from '../lib/suite.ts'

type Load = { goods: number; customers: number; sales: number; opens: number }
const LOAD: Load = { goods: 20_000, customers: 100_000, sales: 1_000_000, opens: 20 }
const QUICK: Load = { goods: 200, customers: 500, sales: 2_000, opens: 2 }
const PER_DAY = 333

/** A page of the back office, and the longest time in milliseconds until its rows are painted. */
type View = { name: string; address: string; atMost: number }

const LISTS: readonly View[] = [
  { name: 'products', address: '/produk', atMost: 300 },
  { name: 'customers', address: '/pelanggan', atMost: 300 },
  { name: 'customers found by name', address: '/pelanggan?q=Sari', atMost: 300 },
  { name: 'stock levels', address: '/stok', atMost: 300 },
]

function reportsOf(now: Date): View[] {
  const dayBefore = (days: number) => new Date(now.getTime() - days * 86_400_000).toISOString().slice(0, 10)
  const year = `range=own&from=${dayBefore(365)}&to=${dayBefore(1)}`
  return [
    { name: 'sales of seven days', address: '/laporan', atMost: 1_000 },
    { name: 'sales of a year', address: `/laporan?${year}`, atMost: 1_000 },
    { name: 'products of a year', address: `/laporan?tab=goods&${year}`, atMost: 1_000 },
    { name: 'hours of a year', address: `/laporan?tab=hours&${year}`, atMost: 1_000 },
    { name: 'cashiers of a year', address: `/laporan?tab=people&${year}`, atMost: 1_000 },
  ]
}

/** What an owner waits for in the back office of a large shop. */
export const office: Suite = {
  name: 'office',
  about:
    'pages of the back office in Chromium over a million sales, each beside the bare requests that it makes',
  onlyByName: true,
  measure,
}

async function measure({ quick, say }: Options): Promise<Report> {
  const load = quick ? QUICK : LOAD
  const database = await freshDatabase()
  try {
    const service = await startService(database.url, path.join(database.dir, 'service'))
    const browser = await launchBrowser()
    try {
      const shop = await openLargeShop(service.address, database, load)
      say(`${whole(load.sales)} sales of one workspace are written`)
      const figures: Figures[] = []
      for (const view of [...LISTS, ...reportsOf(new Date())]) {
        const timed = await timeView(browser, shop, { view, opens: load.opens })
        say(`${view.name}: p95 ${whole(timed.p95)} ms, its requests alone ${whole(timed.bare)} ms`)
        figures.push(timed)
      }
      return reportOf(load, figures)
    } finally {
      await browser.close()
      await service.stop()
    }
  } finally {
    await database.stop()
  }
}

async function openLargeShop(address: string, database: Database, load: Load): Promise<RegisterShop> {
  const pool = setsOf(database)
  try {
    const shop = await openShop(address, pool, { name: 'Swalayan', variants: load.goods })
    const listed = await fetch(`${address}/api/v1/outlets`, { headers: { cookie: shop.cookie } })
    const { data } = (await listed.json()) as { data: { outlets: [{ id: string }] } }
    const accountId = (JSON.parse(shop.session) as { state: { account: { id: AccountId } } }).state.account.id
    const at = { accountId, outletId: data.outlets[0].id }
    await writeHistory(database, [{ workspace: 0, at, sales: load.sales, perDay: PER_DAY }])
    await writeCustomers(pool, accountId, load.customers)
    await writeLevels(pool, at)
    const { db, close } = openDb({ url: database.url, poolSize: 2 })
    const owner = { accountId, now: systemClock.now() }
    // The service may have rolled up the workspace while it was empty.
    await inTx(db, async (tx) => {
      await restart(tx, owner)
      for (const outlet of await listOutlets(tx, owner)) await forget(tx, owner, outlet)
    })
    await rollWorkspace({ db, clock: systemClock }, owner)
    await close()
    await settle(database.url)
    return shop
  } finally {
    await pool.end()
  }
}

const writeCustomers = (pool: pg.Pool, accountId: string, count: number) =>
  pool.query(
    `insert into customers (account_id, id, name, phone, phone_key)
      select $1, 'cus_' || lpad(n::text, 26, '0'),
        ($3::text[])[1 + n % 8] || ' ' || ($4::text[])[1 + (n / 8) % 8] || ' ' || n,
        '0812' || lpad(n::text, 8, '0'), '812' || lpad(n::text, 8, '0')
      from generate_series(1, $2::int) n`,
    [
      accountId,
      count,
      'Ibu Pak Mbak Mas Kak Bu Adik Tante'.split(' '),
      'Sari Budi Dewi Agus Rina Joko Wati Eko'.split(' '),
    ],
  )

const writeLevels = (pool: pg.Pool, { accountId, outletId }: { accountId: string; outletId: string }) =>
  pool.query(
    `insert into stock_levels (account_id, outlet_id, variant_id, id, quantity, reorder_point, created_at, updated_at)
      select $1, $2, id, 'lvl_' || right(id, 26), 1000, 20, now(), now() from variants where account_id = $1`,
    [accountId, outletId],
  )

type Figures = { view: View; p50: number; p95: number; bare: number }

/** A view opened again and again in a page that has just been loaded, as an owner comes to it from another page. */
async function timeView(
  browser: Browser,
  shop: RegisterShop,
  { view, opens }: { view: View; opens: number },
): Promise<Figures> {
  const context = await newContext(browser, shop)
  try {
    const page = await context.newPage()
    const [shown, bare]: [number[], number[]] = [[], []]
    let requests: string[] = []
    // The first two times warm up the service and the browser's cache.
    for (let open = -2; open < opens; open += 1) {
      await page.goto(`${shop.address}/akun`)
      await page.getByRole('heading', { level: 1 }).first().waitFor()
      await page.waitForLoadState('networkidle')
      const seen = await openView(page, view.address)
      requests = seen.requests
      const alone = await takeAll(requests, shop.cookie)
      if (open < 0) continue
      shown.push(seen.ms)
      bare.push(alone)
    }
    if (requests.length === 0) throw new Error(`${view.address} sent no request`)
    return { view, p50: median(shown), p95: percentile(Float64Array.from(shown), 0.95), bare: median(bare) }
  } finally {
    await context.close()
  }
}

/** Milliseconds until the first rows are painted, and the requests that were answered by then. */
const openView = (page: Page, address: string) =>
  page.evaluate<{ ms: number; requests: string[] }>(`new Promise((resolve, reject) => {
    setTimeout(() => reject(new Error('no row was shown in ten seconds')), 10_000)
    const began = performance.now()
    const look = () => {
      if (!document.querySelector('main table tbody tr')) return
      watch.disconnect()
      requestAnimationFrame(() => setTimeout(() => {
        const requests = performance.getEntriesByType('resource')
          .filter((entry) => entry.startTime >= began && entry.name.includes('/api/v1/'))
          .map((entry) => entry.name)
        resolve({ ms: performance.now() - began, requests })
      }))
    }
    const watch = new MutationObserver(look)
    watch.observe(document.body, { childList: true, subtree: true })
    history.pushState({}, '', ${JSON.stringify(address)})
  })`)

/** The same requests at once, without a browser. */
async function takeAll(requests: readonly string[], cookie: string): Promise<number> {
  const began = performance.now()
  await Promise.all(
    requests.map(async (url) => {
      const answer = await fetch(url, { headers: { cookie } })
      if (!answer.ok) throw new Error(`${url} answered ${answer.status}`)
      await answer.arrayBuffer()
    }),
  )
  return performance.now() - began
}

function reportOf(load: Load, figures: readonly Figures[]): Report {
  const rows: Row[] = figures.map(({ view, p50, p95, bare }) => ({
    what: `${view.name}: until the first rows are painted, p95, ms`,
    measured: `median ${whole(p50)} ms`,
    yardstick: `its requests alone ${whole(bare)} ms`,
    value: p95,
    bar: { atMost: view.atMost },
  }))
  return {
    title: 'The back office',
    text: [
      `Chromium at full speed; ${whole(load.goods)} products, ${whole(load.customers)} customers and ${whole(load.sales)} sales in one workspace. Each view is opened ${load.opens} times from another page of the back office, in a page that has loaded nothing of it yet.`,
      table(
        ['view', 'median, ms', 'p95, ms', 'its requests alone, ms'],
        figures.map(({ view, p50, p95, bare }) => [view.name, whole(p50), whole(p95), whole(bare)]),
      ),
    ].join('\n\n'),
    rows,
  }
}
