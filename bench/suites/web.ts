import path from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { type Database, freshDatabase, setsOf, settle } from '../lib/database.ts'
import { fixed, median, percentile, table, whole } from '../lib/figures.ts'
import {
  CPU_SLOWDOWN,
  keepPage,
  launchBrowser,
  newContext,
  openRegister,
  openShop,
  type RegisterShop,
  slowPage,
} from '../lib/register.ts'
import { startService } from '../lib/service.ts'
import type { Options, Report, Row, Suite } from '../lib/suite.ts'

type Load = {
  goods: number
  manyGoods: number
  opens: number
  taps: number
  scans: number
  sales: number
  rows: number
}
const LOAD: Load = { goods: 2_000, manyGoods: 20_000, opens: 5, taps: 200, scans: 100, sales: 500, rows: 500 }
const QUICK: Load = { goods: 200, manyGoods: 500, opens: 1, taps: 10, scans: 10, sales: 20, rows: 10 }

/** The heap is measured after a tenth of the sales, and again after all. */
const HEAP_SHARE = 10
const FRAME_MS = 16
const MIB = 1_024 * 1_024

/** What a cashier waits for at the register, in Chromium with a slowed processor. */
export const web: Suite = {
  name: 'web',
  about: 'the register in Chromium: first tile, tap, scan, heap and outbox',
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
      const [shop, large] = await openShops(service.address, database, load)
      const opening = await timeOpening(browser, shop, load.opens)
      say(`first tile: cold ${whole(opening.cold)} ms, from the worker ${whole(opening.kept)} ms`)
      const tapMs = await timeTaps(browser, shop, load.taps)
      say(`tap to paint: p95 ${whole(tapMs)} ms`)
      const scanMs = await timeScans(browser, large, load)
      say(`scan to item: p95 ${whole(scanMs)} ms`)
      const heap = await growthOfHeap(browser, shop, load.sales)
      say(`heap: ${fixed(heap.early / MIB, 1)} MiB, then ${fixed(heap.late / MIB, 1)} MiB`)
      const outboxMs = await timeOutbox(browser, shop, load.rows)
      say(`outbox: ${fixed(outboxMs / 1_000, 1)} s`)
      return reportOf(load, { ...opening, tapMs, scanMs, heap, outboxMs })
    } finally {
      await browser.close()
      await service.stop()
    }
  } finally {
    await database.stop()
  }
}

async function openShops(address: string, database: Database, load: Load) {
  const pool = setsOf(database)
  try {
    const shop = await openShop(address, pool, { name: 'Warung', variants: load.goods })
    const large = await openShop(address, pool, { name: 'Swalayan', variants: load.manyGoods })
    await settle(database.url)
    return [shop, large] as const
  } finally {
    await pool.end()
  }
}

/** Works in a browser of its own, which has never seen the app. */
async function inContext<T>(
  browser: Browser,
  shop: RegisterShop,
  work: (context: BrowserContext) => Promise<T>,
): Promise<T> {
  const context = await newContext(browser, shop)
  try {
    return await work(context)
  } finally {
    await context.close()
  }
}

const numberFrom = async (page: Page, expression: string): Promise<number> =>
  Number(await page.evaluate(expression))

/** Milliseconds from the navigation until the first tile can be tapped. */
async function timeOpening(browser: Browser, shop: RegisterShop, opens: number) {
  const [cold, kept]: [number[], number[]] = [[], []]
  for (let count = 0; count < opens; count += 1) {
    await inContext(browser, shop, async (context) => {
      const page = await slowPage(context)
      await openRegister(page, shop)
      cold.push(await numberFrom(page, 'probes.firstTile'))
      await keepPage(page, shop)
      await page.close()
      const again = await slowPage(context)
      await openRegister(again, shop)
      kept.push(await numberFrom(again, 'probes.firstTile'))
    })
  }
  return { cold: median(cold), kept: median(kept) }
}

/** A finger stays on the glass for so long; meanwhile the pressed look of the tile is painted. */
const PRESS_MS = 60

/** The time that 95% of the taps on tiles do not exceed until the change is painted, by the browser's event timing. */
const timeTaps = (browser: Browser, shop: RegisterShop, taps: number): Promise<number> =>
  inContext(browser, shop, async (context) => {
    const page = await slowPage(context)
    await openRegister(page, shop)
    await keepPage(page, shop)
    const tiles = page.getByRole('list', { name: 'Barang', exact: true }).getByRole('button')
    const places = await Promise.all([0, 1, 2, 3, 4, 5].map((at) => tiles.nth(at).boundingBox()))
    await page.evaluate('probes.taps.length = 0')
    for (let tap = 0; tap < taps; tap += 1) {
      const place = places[tap % places.length]
      if (!place) throw new Error('a tile has no place on the screen')
      await page.mouse.click(place.x + place.width / 2, place.y + place.height / 2, { delay: PRESS_MS })
      await page.evaluate('new Promise((painted) => requestAnimationFrame(() => setTimeout(painted, 20)))')
    }
    const seen = (await page.evaluate('probes.taps')) as number[]
    const quick = Array.from({ length: Math.max(0, taps - seen.length) }, () => FRAME_MS)
    return percentile(Float64Array.from([...seen, ...quick]), 0.95)
  })

/** The time that 95% of the scans do not exceed from the last key until the item is painted in the cart. */
const timeScans = (browser: Browser, shop: RegisterShop, { manyGoods, scans }: Load): Promise<number> =>
  inContext(browser, shop, async (context) => {
    const page = await slowPage(context)
    await openRegister(page, shop)
    await keepPage(page, shop)
    const samples = new Float64Array(scans)
    for (let scan = 0; scan < scans; scan += 1) {
      const product = 1 + ((scan * 7_919) % manyGoods)
      samples[scan] = await numberFrom(page, `probes.scan('899${String(product).padStart(10, '0')}')`)
      if (scan % 10 === 9) await page.evaluate('probes.clear()')
    }
    return percentile(samples, 0.95)
  })

/** Bytes that the page holds after a tenth of the sales and after all of them, each after a garbage collection. */
const growthOfHeap = (browser: Browser, shop: RegisterShop, sales: number) =>
  inContext(browser, shop, async (context) => {
    const page = await slowPage(context)
    await openRegister(page, shop)
    await keepPage(page, shop)
    const session = await context.newCDPSession(page)
    const heap = async () => {
      await session.send('HeapProfiler.collectGarbage')
      return (await session.send('Runtime.getHeapUsage')).usedSize
    }
    const first = sales / HEAP_SHARE
    await page.evaluate(`probes.sell(${first})`)
    const early = await heap()
    await page.evaluate(`probes.sell(${sales - first})`)
    return { early, late: await heap() }
  })

/** Milliseconds from the return of the line until the service has all sales that were made without it. */
const timeOutbox = (browser: Browser, shop: RegisterShop, rows: number): Promise<number> =>
  inContext(browser, shop, async (context) => {
    const page = await slowPage(context)
    await openRegister(page, shop)
    await keepPage(page, shop)
    await context.setOffline(true)
    await page.evaluate(`probes.sell(${rows})`)
    await page
      .getByRole('status')
      .filter({ hasText: `Luring · ${rows} antre` })
      .waitFor()
    const began = performance.now()
    await context.setOffline(false)
    await page.getByRole('status').filter({ hasText: 'Daring' }).waitFor({ timeout: 300_000 })
    return performance.now() - began
  })

type Figures = {
  cold: number
  kept: number
  tapMs: number
  scanMs: number
  heap: { early: number; late: number }
  outboxMs: number
}

function reportOf(load: Load, figures: Figures): Report {
  const { cold, kept, tapMs, scanMs, heap, outboxMs } = figures
  const ratio = heap.late / heap.early
  const row = (what: string, value: number, atMost: number, measured = ''): Row => ({
    what,
    measured,
    yardstick: '',
    value,
    bar: { atMost },
  })
  return {
    title: 'The register',
    text: [
      `Chromium with a processor slowed ${CPU_SLOWDOWN} times, ${whole(load.goods)} products; scans among ${whole(load.manyGoods)}. Cold: a browser that has never seen the app. Medians of ${load.opens} openings.`,
      table(
        ['', 'measured', 'bar'],
        [
          ['first tile tappable, from the worker, s', fixed(kept / 1_000), '1.5'],
          ['first tile tappable, cold, s', fixed(cold / 1_000), '2.5'],
          ['tap to paint, p95, ms', whole(tapMs), '50'],
          ['scan to item, p95, ms', whole(scanMs), '100'],
          [`heap after ${load.sales} sales, MiB`, fixed(heap.late / MIB, 1), ''],
          [`heap after ${load.sales / HEAP_SHARE} sales, MiB`, fixed(heap.early / MIB, 1), ''],
          [`${load.rows} unsent sales sent, s`, fixed(outboxMs / 1_000, 1), '60'],
        ],
      ),
    ].join('\n\n'),
    rows: [
      row('first tile tappable from the worker, s', kept / 1_000, 1.5),
      row('first tile tappable cold, s', cold / 1_000, 2.5),
      row('tap to paint p95, ms', tapMs, 50),
      row(`scan to item p95 at ${whole(load.manyGoods)} variants, ms`, scanMs, 100),
      row(
        `heap after ${load.sales} sales over after ${load.sales / HEAP_SHARE}`,
        ratio,
        1.3,
        `${fixed(heap.late / MIB, 1)} / ${fixed(heap.early / MIB, 1)} MiB`,
      ),
      row(`${load.rows} unsent sales sent, s`, outboxMs / 1_000, 60),
    ],
  }
}
