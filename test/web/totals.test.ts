import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import { CASH_STEPS, ROUNDING_MODES } from '../../src/core/cash-rounding.ts'
import { SERVICE_CHARGE_BASES } from '../../src/core/service-charge.ts'
import { type Cart, type CartLine, EMPTY_CART } from '../../web/src/selling/cart.ts'
import { cartTotals } from '../../web/src/selling/cart-totals.ts'
import { chargeRows, chargesOf } from '../../web/src/selling/charge-rows.ts'
import { offlineBody } from '../../web/src/selling/sale-body.ts'
import { METHODS, takeTender } from '../../web/src/selling/tender.ts'
import { describeInChromium } from '../support/browser.ts'
import { makeOutlet, makeProduct } from '../support/build.ts'
import { done } from '../support/expect.ts'
import { acme, useService } from '../support/service.ts'

useService()

const RATES = [null, 0, 1_000, 1_100] as const
const goods: { variantId: string; productId: string; taxRateBps: number | null }[] = []
let outletId = ''

beforeAll(async () => {
  outletId = await makeOutlet(acme(), { name: 'Cikini' })
  for (const taxRateBps of RATES) {
    const product = await makeProduct(acme(), { name: `Pajak ${taxRateBps}`, trackStock: false, taxRateBps })
    goods.push({ variantId: product.variants[0].id, productId: product.id, taxRateBps })
  }
})

const price = fc.nat(200_000)
const discount = fc.option(
  fc.oneof(
    price.map((value) => ({ kind: 'amount' as const, value })),
    fc.integer({ min: 1, max: 10_000 }).map((bps) => ({ kind: 'percent' as const, bps })),
  ),
)
/** One of the catalogue, or an open item. */
const line = fc
  .record({
    place: fc.nat(RATES.length),
    unitPrice: price,
    quantity: fc.integer({ min: 1, max: 40 }),
    extra: fc.option(fc.nat(5_000)),
    discount,
  })
  .map(({ place, extra, ...rest }): Omit<CartLine, 'key'> => {
    const { variantId, productId, taxRateBps } = goods[place] ?? {
      variantId: null,
      productId: null,
      taxRateBps: 500,
    }
    return {
      ...rest,
      itemId: null,
      variantId,
      productId,
      taxRateBps,
      name: 'Barang',
      variantName: '',
      modifiers: extra === null ? [] : [{ modifierId: null, name: 'Ekstra', price: extra }],
      note: '',
    }
  })
const cart = fc
  .record({
    lines: fc.array(line, { minLength: 1, maxLength: 8 }),
    orderDiscount: discount,
    orderType: fc.constantFrom(null, 'DINE_IN' as const, 'TAKEAWAY' as const),
  })
  .map(
    ({ lines, ...rest }): Cart => ({
      ...EMPTY_CART,
      ...rest,
      lines: lines.map((each, at) => ({ ...each, key: at + 1 })),
    }),
  )
const terms = fc.record({
  taxRateBps: fc.constantFrom(0, 1_000, 1_100, 1_234),
  taxInclusive: fc.boolean(),
  serviceChargeBps: fc.constantFrom(0, 500, 733, 3_000),
  serviceChargeOrderTypes: fc.constantFrom(
    [],
    ['DINE_IN' as const],
    ['DINE_IN' as const, 'TAKEAWAY' as const],
  ),
  serviceChargeBase: fc.constantFrom(...SERVICE_CHARGE_BASES),
  serviceChargeTaxable: fc.boolean(),
  cashRounding: fc.record({ step: fc.constantFrom(...CASH_STEPS), mode: fc.constantFrom(...ROUNDING_MODES) }),
})
const payment = fc.record({
  method: fc.constantFrom(...METHODS.filter((each) => each !== 'GIFT_CARD')),
  received: fc.option(fc.constant(100_000_000)),
})

it('the register computes every total, tax, service charge, cash rounding and change as the service does', async () => {
  const outlet = done(await acme().get(`/outlets/${outletId}`)).outlet
  let count = 0
  await fc.assert(
    fc.asyncProperty(cart, terms, payment, async (sold, money, { method, received }) => {
      const totals = cartTotals(sold, money)
      const step = takeTender({
        due: totals.due,
        cashRounding: money.cashRounding,
        taken: [],
        method,
        received: method === 'CASH' ? received : null,
      })
      if (step.kind !== 'complete') throw new Error('the whole sale is paid')
      count += 1
      const receipt = { ref: `T-${count}`, soldAt: new Date().toISOString(), soldBy: '' }
      const body = offlineBody(
        { ...outlet, ...money },
        { cart: sold, totals, tenders: step.tenders },
        receipt,
      )
      const { soldBy: _, ...offline } = body.offline ?? { soldBy: '' }
      // The service refuses a printed total that is not its own.
      const sale = done(await acme().post('/sales', { ...body, offline })).sale
      expect(sale).toMatchObject({
        status: 'COMPLETED',
        subtotal: totals.subtotal,
        orderDiscount: totals.orderDiscount,
        taxes: totals.taxes,
        serviceCharge: totals.serviceCharge,
        total: totals.total,
        roundingTotal: step.tenders.reduce((sum, { rounding }) => sum + (rounding ?? 0), 0),
        changeTotal: step.change,
      })
    }),
    { numRuns: 200 },
  )
}, 120_000)

it('the rows that a cashier sees add up to the total of 10,000 random carts', () => {
  const t = (key: string) => key
  fc.assert(
    fc.property(cart, terms, (sold, money) => {
      const totals = cartTotals(sold, money)
      const charges = chargesOf(totals, { taxLabel: 'PPN', taxInclusive: money.taxInclusive })
      const rows = chargeRows(charges, t).filter(({ key }) => !(money.taxInclusive && key.startsWith('tax')))
      expect(totals.subtotal + rows.reduce((sum, { amount }) => sum + amount, 0)).toBe(totals.total)
    }),
    { numRuns: 10_000 },
  )
})

describeInChromium('the totals of a cart', (browser) => {
  it('are the same in the browser as in Node for 10,000 random carts', async () => {
    const bundle = await build({
      entryPoints: [fileURLToPath(new URL('../../web/src/selling/cart-totals.ts', import.meta.url))],
      bundle: true,
      format: 'iife',
      globalName: 'till',
      write: false,
    })
    const page = await browser().newPage()
    await page.evaluate(`${bundle.outputFiles[0]?.text ?? ''}; window.till = till`)
    const cases = fc.sample(fc.tuple(cart, terms), 10_000)
    const inBrowser: unknown = JSON.parse(
      await page.evaluate(
        `JSON.stringify(${JSON.stringify(cases)}.map(([cart, terms]) => till.cartTotals(cart, terms)))`,
      ),
    )
    const inNode: unknown = JSON.parse(JSON.stringify(cases.map(([sold, money]) => cartTotals(sold, money))))
    expect(inBrowser).toHaveLength(10_000)
    expect(inBrowser).toEqual(inNode)
    await page.close()
  }, 120_000)
})
