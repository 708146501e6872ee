import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openingOf } from '../../../../src/areas/selling/sales/rules/payments.ts'
import { planSplit } from '../../../../src/areas/selling/sales/rules/plan-split.ts'
import { planRefund, type RefundBody } from '../../../../src/areas/selling/sales/rules/refundable.ts'
import { CASH_STEPS, ROUNDING_MODES } from '../../../../src/core/cash-rounding.ts'
import { itemGross, type TotalsInput, totalsOf } from '../../../../src/core/sale-totals.ts'

const sumOf = (values: readonly number[]) => values.reduce((a, b) => a + b, 0)

const anyItem = fc
  .record({
    quantity: fc.integer({ min: 1, max: 7 }),
    unitPrice: fc.integer({ min: 0, max: 99_999 }),
    modifiers: fc.array(fc.record({ price: fc.integer({ min: 0, max: 9_000 }) }), { maxLength: 2 }),
    part: fc.constantFrom(0, 0, 10, 33, 100),
    taxRateBps: fc.constantFrom(null, 0, 1_000, 1_100),
  })
  .map(({ part, ...rest }) => ({ ...rest, discount: Math.floor((itemGross(rest) * part) / 100) }))
const anyCart = fc.record({
  items: fc.array(anyItem, { minLength: 1, maxLength: 5 }),
  orderDiscount: fc.constantFrom(0, 0, 1, 2_500, 77_777),
  deliveryFee: fc.constantFrom(0, 9_000),
  taxRateBps: fc.constantFrom(0, 1_000, 1_100),
  taxInclusive: fc.boolean(),
  service: fc.option(
    fc.record({
      bps: fc.constantFrom(1, 500, 1_000, 3_000),
      base: fc.constantFrom('AFTER_DISCOUNT' as const, 'BEFORE_DISCOUNT' as const),
      isTaxable: fc.boolean(),
    }),
  ),
  clampOrderDiscount: fc.constant(true),
})
const anyStep = fc.record({
  kind: fc.constantFrom('line', 'line', 'amount', 'both'),
  line: fc.nat({ max: 4 }),
  qty: fc.integer({ min: 1, max: 7 }),
  amount: fc.integer({ min: 1, max: 200_000 }),
})
type Step = { kind: string; line: number; qty: number; amount: number }

/** Refunds a priced cart step by step and then the rest, and checks that every part ends at exactly what was paid. */
function refundAll(cart: TotalsInput, steps: readonly Step[]) {
  const totals = totalsOf(cart)
  if (totals.total === 0) return
  const service = totals.serviceCharge ?? { amount: 0, tax: 0 }
  const items = totals.items.map((figures, index) => ({
    id: `l${index}`,
    quantity: cart.items[index]?.quantity ?? 0,
    taxRateBps: cart.items[index]?.taxRateBps ?? null,
    refundedQty: 0,
    isActive: true,
    ...figures,
  }))
  const parts = { goods: 0, tax: 0, service: 0, deliveryFee: 0 }
  const rates = new Map(totals.taxes.map(({ rateBps }) => [rateBps, 0]))
  const values = new Map<string, number>()
  let given = 0
  const give = (body: RefundBody) => {
    const { total, taxRateBps, taxTotal, taxes, deliveryFee } = { ...totals, taxRateBps: cart.taxRateBps }
    const plan = planRefund(
      {
        status: 'COMPLETED',
        total,
        taxRateBps,
        taxTotal,
        taxes,
        deliveryFee,
        service,
        items,
        refunded: { ...parts },
        refundedTaxes: [...rates].map(([rateBps, tax]) => ({ rateBps, tax })),
      },
      body,
    )
    for (const part of ['goods', 'tax', 'service', 'deliveryFee'] as const) {
      if (plan.split[part] < 0) throw new Error(`${part} is negative`)
      parts[part] += plan.split[part]
    }
    const ofRates = plan.taxes ?? []
    if (sumOf(ofRates.map(({ tax }) => tax)) !== plan.split.tax)
      throw new Error('the rates do not make the tax')
    for (const { rateBps, tax } of ofRates) {
      if (tax < 0) throw new Error('a rate is negative')
      rates.set(rateBps, (rates.get(rateBps) ?? 0) + tax)
    }
    for (const line of plan.lines) {
      values.set(line.id, (values.get(line.id) ?? 0) + line.value)
      const item = items.find(({ id }) => id === line.id)
      if (item) item.refundedQty += line.qty
    }
    given += plan.amount
  }
  for (const step of steps) {
    const target = items[step.line % items.length]
    const left = totals.total - given
    if (!target || left === 0) break
    const qty = Math.min(step.qty, target.quantity - target.refundedQty)
    if (qty === 0 && step.kind !== 'amount') continue
    const named = { lines: [{ transactionItemId: target.id, qty }] }
    const money = { amount: Math.min(step.amount, left) }
    give({ line: named, amount: money, both: { ...named, ...money } }[step.kind] ?? {})
  }
  if (given < totals.total) {
    give({})
    for (const { id, lineTotal, serviceShare } of items) {
      expect(values.get(id)).toBe(lineTotal + serviceShare)
    }
  }
  expect(given).toBe(totals.total)
  expect(parts).toEqual({
    goods: totals.total - totals.taxTotal - service.amount - totals.deliveryFee,
    tax: totals.taxTotal,
    service: service.amount,
    deliveryFee: totals.deliveryFee,
  })
  expect([...rates]).toEqual(totals.taxes.map(({ rateBps, tax }) => [rateBps, tax]))
}

test('refunds in any order end at exactly what was paid, part by part and rate by rate', () => {
  fc.assert(
    fc.property(anyCart, fc.array(anyStep, { maxLength: 6 }), (cart, steps) => refundAll(cart, steps)),
    { numRuns: 20_000 },
  )
}, 120_000)

test('both bills of a split are priced and refunded exactly, and no discount is lost', () => {
  const anyTake = fc.array(fc.nat({ max: 7 }), { minLength: 5, maxLength: 5 })
  fc.assert(
    fc.property(anyCart, anyTake, fc.array(anyStep, { maxLength: 3 }), (cart, take, steps) => {
      const rows = cart.items.map((item, index) => ({ ...item, id: `l${index}`, isActive: true }))
      const named = rows.flatMap(({ id, quantity }, index) => {
        const taken = Math.min(take[index] ?? 0, quantity)
        return taken === 0 ? [] : [{ id, quantity: taken }]
      })
      const isWhole =
        named.length === rows.length && named.every((one, index) => one.quantity === rows[index]?.quantity)
      if (named.length === 0 || isWhole) return
      const { stay, move } = planSplit(rows, named)
      const moved = move.map(({ item }) => item)
      expect(sumOf([...stay, ...moved].map(({ discount }) => discount))).toBe(
        sumOf(rows.map(({ discount }) => discount)),
      )
      expect(sumOf([...stay, ...moved].map(itemGross))).toBe(sumOf(rows.map(itemGross)))
      refundAll({ ...cart, items: stay }, steps)
      refundAll({ ...cart, items: moved, orderDiscount: 0, deliveryFee: 0 }, steps)
    }),
    { numRuns: 20_000 },
  )
}, 120_000)

test('cash of any rounding pays the bill exactly and is a multiple of the step', () => {
  const anyRounding = fc.record({
    step: fc.constantFrom(...CASH_STEPS),
    mode: fc.constantFrom(...ROUNDING_MODES),
  })
  fc.assert(
    fc.property(anyCart, anyRounding, fc.nat({ max: 100_000 }), (cart, cashRounding, more) => {
      const { total } = totalsOf(cart)
      if (total === 0) return
      const implied = openingOf({ requested: 'COMPLETED', payments: undefined, total, cashRounding })
      const [cash] = implied.applied
      const due = total + implied.roundingTotal
      expect([implied.paidTotal, implied.changeTotal, cash?.tendered]).toEqual([total, 0, due])
      expect(Math.abs(implied.roundingTotal)).toBeLessThan(Math.max(1, cashRounding.step))
      expect(due % Math.max(1, cashRounding.step)).toBe(0)
      const payments = [{ method: 'CASH' as const, amount: total, tendered: Math.max(total, due) + more }]
      const sent = openingOf({ requested: 'COMPLETED', payments, total, cashRounding })
      expect([sent.paidTotal, sent.roundingTotal]).toEqual([total, implied.roundingTotal])
      expect((sent.applied[0]?.tendered ?? 0) - sent.changeTotal).toBe(due)
    }),
    { numRuns: 20_000 },
  )
}, 120_000)
