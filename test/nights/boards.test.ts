import { type Browser, chromium, type Page } from 'playwright-core'
import { expect } from 'vitest'
import { chromiumPath } from '../support/chromium.ts'
import { type EventStream, openStream } from '../support/stream.ts'
import { callerAt, OWNER, openShopAt, type Shop } from '../support/tills.ts'
import { createFastClock, type FastService, openFastService } from './long-life/fast-service.ts'
import { type Step, step } from './step.ts'

/** scripts/nights.mjs sets it; 0 when another night was asked for. */
const MINUTES = Number(process.env['BOARDS_MINUTES'] ?? 0)
const MINUTE_MS = 60_000
const SPEED = 24
const SAMPLES = 12
/** Of each of two workspaces: the most streams that one workspace may have open. */
const BOARDS = 20
/** Kitchens in Chromium, among the boards of the first workspace. */
const PAGES = 2
const ORDER_EVERY_MS = 500
const MOST_GROWTH = 1.2
const PREPARE_MS = 10 * MINUTE_MS

step(
  '40 boards that stay open: service and kitchen pages hold at most a fifth more memory in the end, and each board hears of the last order',
  async (night) => {
    if (MINUTES === 0) return night.skip('only by its name: npm run nights -- boards')
    const clock = await createFastClock()
    if (clock === null) return night.skip('needs the command faketime (Debian: apt-get install faketime)')
    const executablePath = chromiumPath()
    if (executablePath === null) return night.skip('needs Chromium')
    const browser = await chromium.launch({ executablePath, args: ['--disable-gpu'] })
    try {
      const service = await openFastService(clock, SPEED)
      try {
        await watch(service, browser, night)
      } finally {
        await service.remove()
      }
    } finally {
      await browser.close()
      await clock.remove()
    }
  },
  MINUTES * MINUTE_MS + PREPARE_MS,
)

async function watch(service: FastService, browser: Browser, { say, remark }: Step) {
  const { house, inspector } = service
  const kitchens = [await openKitchen(house.address), await openKitchen(house.address, 'second@example.com')]
  const pages = await Promise.all(Array.from({ length: PAGES }, () => openBoard(browser, house.address())))
  const streams = await Promise.all(
    kitchens.flatMap(({ shop }, index) =>
      Array.from({ length: BOARDS - (index === 0 ? PAGES : 0) }, () => openStream(house.address(), shop.key)),
    ),
  )
  expect(streams.map(({ status }) => status)).toEqual(streams.map(() => 200))
  await service.speedUp()
  const kitchensAtWork = startKitchens(kitchens)
  const samples: { service: number; pages: number[] }[] = []
  const beganMs = performance.now()
  for (let n = 1; n <= SAMPLES; n += 1) {
    await expect
      .poll(() => performance.now() - beganMs, { timeout: MINUTES * MINUTE_MS, interval: 250 })
      .toBeGreaterThan((n * MINUTES * MINUTE_MS) / SAMPLES)
    // Objects with finalizers need a second collection.
    await inspector.collectGarbage()
    await inspector.collectGarbage()
    const heap = await inspector.evaluate<number>('process.memoryUsage().heapUsed')
    samples.push({ service: heap, pages: await Promise.all(pages.map(heapOf)) })
    say(
      `${n}/${SAMPLES}: ${kitchensAtWork.orders()} orders, heap of the service ${mib(heap)}, of the pages ${samples.at(-1)?.pages.map(mib).join(' and ')}`,
    )
  }
  const orders = await kitchensAtWork.stop()
  await expectHeard(kitchens, streams, pages)
  const growths = [
    growthOf(samples.map((sample) => sample.service)),
    ...pages.map((_, index) => growthOf(samples.map((sample) => sample.pages[index] ?? Number.NaN))),
  ]
  for (const growth of growths) expect(growth).toBeLessThanOrEqual(MOST_GROWTH)
  for (const stream of streams) stream.close()
  remark(
    `${streams.length + pages.length} boards, ${((MINUTES * SPEED) / 60).toFixed(1)} h, ${orders} orders; heap of the service ${growths[0]?.toFixed(2)}, of the pages ${growths
      .slice(1)
      .map((growth) => growth.toFixed(2))
      .join(' and ')}`,
  )
}

/** The last quarter over the second; the first is warm-up. */
function growthOf(heaps: readonly number[]): number {
  const quarter = heaps.length / 4
  const mean = (from: number) => {
    const part = heaps.slice(from * quarter, (from + 1) * quarter)
    return part.reduce((sum, bytes) => sum + bytes, 0) / part.length
  }
  return mean(3) / mean(1)
}

const mib = (bytes: number) => `${(bytes / 2 ** 20).toFixed(1)} MiB`

type Kitchen = { shop: Shop; dishId: string }

async function openKitchen(address: () => string, email = OWNER.email): Promise<Kitchen> {
  const shop = await openShopAt(address, email)
  const dish = { name: 'Nasi goreng', station: 'KITCHEN', trackStock: false, variants: [{ price: 25_000 }] }
  const { product } = (await shop.call('/products', dish)).data
  return { shop, dishId: product.variants[0].id as string }
}

/** A window with the board of the first workspace. */
async function openBoard(browser: Browser, at: string): Promise<Page> {
  const { cookie } = await callerAt(() => at)('/auth/login', OWNER)
  const [name = '', value = ''] = cookie.split('=')
  const context = await browser.newContext({ viewport: { width: 1_280, height: 800 }, locale: 'id-ID' })
  await context.addCookies([{ name, value, url: at }])
  const { data } = await callerAt(() => at)('/auth/me', undefined, { cookie })
  const session = JSON.stringify({ state: { member: data.user, account: data.account }, version: 0 })
  await context.addInitScript(`localStorage.setItem('kasir-session', ${JSON.stringify(session)})`)
  const page = await context.newPage()
  await page.goto(`${at}/dapur`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  return page
}

async function heapOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  await session.detach()
  return usedSize
}

/** Each kitchen gets an order every half second and has it ready at once, until `stop`. */
function startKitchens(kitchens: readonly Kitchen[]) {
  let [isStopped, orders] = [false, 0]
  const work = async (kitchen: Kitchen) => {
    for (let dueMs = performance.now(); !isStopped; dueMs += ORDER_EVERY_MS) {
      const id = await order(kitchen)
      orders += 1
      for (const from of ['NEW', 'PREPARING', 'READY']) {
        const { status, message } = await kitchen.shop.call(`/kds/${id}/advance`, { from })
        expect(status, message).toBe(200)
      }
      await expect.poll(() => performance.now(), { timeout: 10_000, interval: 20 }).toBeGreaterThan(dueMs)
    }
  }
  const ended = Promise.all(kitchens.map(work))
  return {
    orders: () => orders,
    stop: async () => {
      isStopped = true
      await ended
      return orders
    },
  }
}

async function order({ shop, dishId }: Kitchen, note?: string): Promise<string> {
  const { status, message, data } = await shop.call('/sales', {
    outletId: shop.outletId,
    items: [{ variantId: dishId, quantity: 1, ...(note === undefined ? {} : { note }) }],
    orderType: 'DINE_IN',
    status: 'COMPLETED',
  })
  expect(status, message).toBe(201)
  return data.sale.id as string
}

/** No board was closed, and each is sent the last order. */
async function expectHeard(
  kitchens: readonly Kitchen[],
  streams: readonly EventStream[],
  pages: readonly Page[],
) {
  const frames = streams.map((stream) => stream.frames().length)
  for (const kitchen of kitchens) await order(kitchen, 'the last order')
  for (const [index, stream] of streams.entries()) {
    await stream.until((one) => one.frames().length > (frames[index] ?? 0))
    expect(stream.isEnded()).toBe(false)
  }
  for (const page of pages) await page.getByText('the last order').waitFor()
}
