import { build } from 'esbuild'
import { chromium } from 'playwright-core'
import { chromiumPath } from '../../test/support/chromium.ts'
import { settle } from '../lib/database.ts'
import { fixed, median, table, whole } from '../lib/figures.ts'
import { type Bench, load, serviceOf, warmUp, withShops } from '../lib/sales-run.ts'
import { accountId, VARIANTS, variantId } from '../lib/sales-shop.ts'
import type { Service } from '../lib/service.ts'
import { alternate, type Bar, type Options, type Report, ratioOf, type Suite } from '../lib/suite.ts'

const PROMOTIONS = 50
const ITEMS = 30
const THROTTLE = 4
const WARM_UP = 4_000

/** How much price lists and promotions slow down a sale and the total of a register. */
export const promotions: Suite = {
  name: 'promotions',
  about:
    'sales with 200 price-list entries and 50 promotions over sales without, and the total at a slow register',
  measure,
}

type PricedComparison = Awaited<ReturnType<typeof comparePriced>>

async function measure(options: Options): Promise<Report> {
  const shop = await comparePriced(options, shopPromotion)
  const crowded = await comparePriced(options, openPromotion)
  const register = await timeRegister(options)
  const rowOf = (what: string, priced: PricedComparison, bar: Bar | null) => ({
    what,
    measured: `${pace(priced.priced)}/s`,
    yardstick: `${pace(priced.plain)}/s`,
    value: priced.ratio,
    bar,
  })
  const figures = `sales/s with ${VARIANTS} price-list entries and ${PROMOTIONS} active promotions`
  return {
    title: 'Price lists and promotions',
    text: [
      `Three lines, completed in one request. Each workspace of the other rows has a price list with ${VARIANTS} entries and ${PROMOTIONS} active promotions. Those of a shop have the conditions that shops give them: five cover each sale, the others cover few goods or wait for their day, channel, order type, group or minimum spend. Those without conditions nearly all reduce each sale, which then freezes some thirty of them.`,
      table(
        ['promotions', 'sales/s', 'database, µs', 'service, µs'],
        [
          lineOf('none', shop.plain),
          lineOf('of a shop', shop.priced),
          lineOf('without conditions', crowded.priced),
        ],
      ),
      `At the register: ${ITEMS} lines and ${PROMOTIONS} promotions without conditions in Chromium with the processor slowed down ${THROTTLE} times. A total takes ${fixed(register.promoted)} ms, without promotions ${fixed(register.plain)} ms.`,
    ].join('\n\n'),
    rows: [
      rowOf(`${figures} of a shop over those without`, shop, { atLeast: 0.9 }),
      rowOf(`${figures} that nearly all apply over those without`, crowded, null),
      {
        what: `total of ${ITEMS} items with ${PROMOTIONS} promotions in a browser at ${THROTTLE}x throttle, ms`,
        measured: `${fixed(register.promoted)} ms`,
        yardstick: `without promotions ${fixed(register.plain)} ms`,
        value: register.promoted,
        bar: { atMost: 2 },
      },
    ],
  }
}

const pace = (turns: PricedComparison['plain']) => whole(median(turns.map(({ perSecond }) => perSecond)))

function lineOf(name: string, turns: PricedComparison['plain']) {
  const cpu = (of: 'database' | 'service') => whole(median(turns.map((turn) => turn.cpu[of])))
  return [name, pace(turns), cpu('database'), cpu('service')]
}

const SALE = { spread: true, paysWhole: true }

type PromotionAt = (nth: number, shop: Shop) => object

function comparePriced(options: Options, promotionAt: PromotionAt) {
  const { seconds, rounds, say } = options
  return withShops((without) =>
    withShops(async (including) => {
      const plainService = await serviceOf(without)
      const pricedService = await serviceOf(including)
      try {
        await setUp(including, pricedService, promotionAt)
        for (const [bench, service] of [
          [without, plainService],
          [including, pricedService],
        ] as const) {
          await warmUp(bench, service, { sales: WARM_UP, quick: options.quick })
          await load(bench, service, { ...SALE, limit: { count: 200 } })
          await settle(bench.database.url)
        }
        const turns = await alternate(
          rounds,
          () => load(including, pricedService, { ...SALE, limit: { seconds } }),
          () => load(without, plainService, { ...SALE, limit: { seconds } }),
        )
        const paces = (side: typeof turns.a) => side.map(({ perSecond }) => perSecond)
        const ratio = ratioOf(paces(turns.a), paces(turns.b))
        say(`with prices and promotions ${fixed(ratio)} of the sales without`)
        return { priced: turns.a, plain: turns.b, ratio }
      } finally {
        await pricedService.stop()
        await plainService.stop()
      }
    }),
  )
}

/** One price list with an entry for each variant, and the promotions, in each workspace. */
async function setUp({ keys }: Bench, service: Service, promotionAt: PromotionAt) {
  for (const [index, key] of keys.entries()) {
    const workspace = index + 1
    const send = async (path: string, body: object) => {
      const answer = await fetch(`${service.address}/api/v1${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      if (!answer.ok) throw new Error(`POST ${path} answered ${await answer.text()}`)
    }
    const variants = Array.from({ length: VARIANTS }, (_, at) => variantId(workspace, at + 1))
    const entries = variants.map((id, at) => ({ variantId: id, price: 9_000 + at * 100 }))
    await send('/price-lists', { name: 'Harga', entries })
    const categoryId = `cat_${accountId(workspace).slice('acc_'.length)}`
    await Promise.all(
      Array.from({ length: PROMOTIONS }, (_, nth) =>
        send('/promotions', promotionAt(nth, { variants, categoryId })),
      ),
    )
  }
}

type Shop = { variants: readonly string[]; categoryId: string }

/** The promotion with number n: the kinds alternate, two of three are stackable, and all are open to every sale. */
const openPromotion = (nth: number, { variants, categoryId }: Shop) => ({
  name: `Promo ${nth}`,
  priority: nth % 5,
  stackable: nth % 3 > 0,
  from: '00:00',
  to: '23:59',
  ...[
    { kind: 'PERCENT', percentBps: 100 + nth },
    { kind: 'AMOUNT', amount: 100 + nth },
    { kind: 'BUY_X_GET_Y', buyQuantity: 3, getQuantity: 1, categoryIds: [categoryId] },
    {
      kind: 'BUNDLE',
      bundle: [
        { variantId: variants[(nth * 7) % variants.length], quantity: 1 },
        { categoryId, quantity: 1 },
      ],
      bundlePrice: 20_000,
    },
  ][nth % 4],
})

/** The conditions of a shop: one of ten promotions has none. Dates and amounts are those that no sale of the run meets. */
const shopPromotions = (nth: number, { variants, categoryId }: Shop) => [
  { kind: 'AMOUNT', amount: 100 + nth },
  { kind: 'PERCENT', percentBps: 1_000, variantIds: [variants[(nth * 7) % variants.length]] },
  {
    kind: 'BUY_X_GET_Y',
    buyQuantity: 2,
    getQuantity: 1,
    variantIds: [variants[(nth * 11) % variants.length]],
  },
  {
    kind: 'BUNDLE',
    bundle: [0, 1].map((next) => ({ variantId: variants[(nth * 13 + next) % variants.length], quantity: 1 })),
    bundlePrice: 15_000,
  },
  { kind: 'PERCENT', percentBps: 500, categoryIds: [categoryId], channels: ['GoFood'] },
  { kind: 'PERCENT', percentBps: 2_000, startsAt: '2100-01-01T00:00:00Z' },
  { kind: 'PERCENT', percentBps: 500, minSpend: 10_000_000 },
  { kind: 'PERCENT', percentBps: 500, orderTypes: ['DINE_IN'] },
  { kind: 'AMOUNT', amount: 1_000, from: '00:00', to: '23:59', startsAt: '2100-01-01T00:00:00Z' },
  { kind: 'BUY_X_GET_Y', buyQuantity: 40, getQuantity: 1, categoryIds: [categoryId] },
]

const shopPromotion = (nth: number, shop: Shop) => ({
  name: `Promo ${nth}`,
  priority: nth % 5,
  stackable: true,
  ...shopPromotions(nth, shop)[nth % 10],
})

const BATCH = 50

/** Milliseconds of the register's own function for a total. */
async function timeRegister({ rounds, say }: Options): Promise<{ promoted: number; plain: number }> {
  const executablePath = chromiumPath()
  if (executablePath === null) throw new Error('This suite needs Chromium: install it, or set CHROMIUM')
  const { outputFiles } = await build({
    entryPoints: ['web/src/selling/cart-totals.ts'],
    bundle: true,
    format: 'iife',
    globalName: 'register',
    write: false,
  })
  const browser = await chromium.launch({ executablePath, args: ['--disable-gpu'] })
  try {
    const page = await browser.newPage()
    await page.addScriptTag({ content: outputFiles[0]?.text ?? '' })
    const devTools = await page.context().newCDPSession(page)
    await devTools.send('Emulation.setCPUThrottlingRate', { rate: THROTTLE })
    const timed = (count: number) => page.evaluate<number>(timing(count))
    // The browser compiles the code while it warms up.
    await timed(PROMOTIONS)
    const { a, b } = await alternate(
      rounds * 3,
      () => timed(PROMOTIONS),
      () => timed(0),
    )
    const [promoted, plain] = [median(a), median(b)]
    say(`a total at the register: ${fixed(promoted)} ms, without promotions ${fixed(plain)} ms`)
    return { promoted, plain }
  } finally {
    await browser.close()
  }
}

/** The script that computes the total of one cart `BATCH` times and answers the milliseconds of each. */
function timing(count: number): string {
  const shop: Shop = {
    variants: Array.from({ length: ITEMS }, (_, at) => `var_${at}`),
    categoryId: 'cat_0',
  }
  const all = { isActive: true, oncePerCustomer: false }
  const empty = Object.fromEntries(
    [
      'percentBps amount buyQuantity getQuantity bundle bundlePrice minSpend variantIds categoryIds',
      'outletIds orderTypes channels customerGroupIds weekdays startsAt endsAt',
    ]
      .flatMap((names) => names.split(' '))
      .map((name) => [name, null]),
  )
  const rules = Array.from({ length: count }, (_, nth) => {
    const promotion = openPromotion(nth, { ...shop, categoryId: `cat_${nth % 6}` })
    const bundle =
      'bundle' in promotion
        ? { bundle: promotion.bundle?.map((part) => ({ variantId: null, categoryId: null, ...part })) }
        : {}
    return { ...empty, ...all, ...promotion, ...bundle, id: `pro_${String(nth).padStart(2, '0')}` }
  })
  const lines = shop.variants.map((id, at) => ({
    key: at + 1,
    itemId: null,
    variantId: id,
    productId: `prd_${at}`,
    name: id,
    variantName: '',
    unitPrice: 9_000 + at * 777,
    taxRateBps: null,
    quantity: 1 + (at % 4),
    modifiers: [],
    discount: null,
    note: '',
  }))
  const cart = {
    lines,
    selected: null,
    orderDiscount: null,
    customer: null,
    orderType: null,
    note: '',
    table: null,
    bill: null,
  }
  const terms = {
    taxRateBps: 1_100,
    taxInclusive: false,
    serviceChargeBps: 0,
    serviceChargeOrderTypes: [],
    serviceChargeBase: 'AFTER_DISCOUNT',
    serviceChargeTaxable: true,
    cashRounding: { step: 0, mode: 'NEAREST' },
  }
  return `(() => {
    const cart = ${JSON.stringify(cart)}
    const shop = { promotions: ${JSON.stringify(rules)}, outletId: 'out', timezone: 'Asia/Jakarta',
      now: '2026-11-23T05:00:00.000Z', categoryOf: (id) => 'cat_' + Number(id.slice(4)) % 6 }
    const began = performance.now()
    let given = 0
    for (let turn = 0; turn < ${BATCH}; turn += 1)
      given = register.cartTotals(cart, ${JSON.stringify(terms)}, shop).promotions.length
    const each = (performance.now() - began) / ${BATCH}
    if (${count} > 0 && given === 0) throw new Error('no promotion applies')
    return each
  })()`
}
