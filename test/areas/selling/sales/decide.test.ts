import { describe, expect, test } from 'vitest'
import { decideMerge } from '../../../../src/areas/selling/sales/decide/merge.ts'
import { decidePayments } from '../../../../src/areas/selling/sales/decide/payment.ts'
import { decideReversal } from '../../../../src/areas/selling/sales/decide/reversal.ts'
import { decideSplit, splitOf } from '../../../../src/areas/selling/sales/decide/split.ts'

// Decisions about sales without a database: each returns the changes that the one writer stores.

type Scope = Parameters<typeof decideMerge>[0]
type Sale = Parameters<typeof decideMerge>[1]

const scope = {
  accountId: 'acc_1',
  actor: { kind: 'member', id: 'usr_1' },
  now: '2026-03-01T05:00:00.000Z',
} as Scope
const money = {
  taxRateBps: 0,
  taxInclusive: false,
  orderDiscount: 0,
  promoDiscount: 0,
  deliveryFee: 0,
  refundedGoods: 0,
  refundedTax: 0,
  refundedService: 0,
  refundedDeliveryFee: 0,
  changeTotal: 0,
  roundingTotal: 0,
}
const item = (id: string, price: number) => ({
  id,
  variantId: 'var_1',
  productName: 'Kopi',
  quantity: 1,
  unitPrice: price,
  discount: 0,
  modifiers: null,
  isActive: true,
  kitchenStatus: 'NEW',
})
const payment = (id: string, status: string, amount: number) => ({
  id,
  saleId: 'trx_1',
  method: 'QRIS',
  status,
  amount,
  applied: status === 'PAID',
  verified: false,
  refundedAmount: 0,
  change: 0,
  rounding: 0,
  corrections: null,
})
const bill = (id: string, fields: object) =>
  ({
    ...money,
    id,
    number: `260301-${id.slice(-1).padStart(4, '0')}`,
    outletId: 'out_1',
    status: 'PARKED',
    version: 1,
    orderType: null,
    customerId: null,
    discountCode: null,
    serviceChargeBps: null,
    serviceChargeWaived: false,
    cashRounding: null,
    taxes: null,
    promotions: null,
    voucherCodes: null,
    offlineRef: null,
    deliveryDraft: null,
    createdAt: scope.now,
    total: 30_000,
    taxTotal: 0,
    paidTotal: 0,
    items: [item('itm_1', 10_000), item('itm_2', 20_000)],
    payments: [],
    refunds: [],
    around: { outlet: null, customer: null, table: null },
    ...fields,
  }) as unknown as Sale

const types = (events: readonly { type: string }[]) => events.map(({ type }) => type)

describe('a decision about a sale', () => {
  test('to merge closes the other bill first, and the receiving bill announces both', () => {
    const { changes } = decideMerge(
      scope,
      bill('trx_1', {}),
      bill('trx_2', { items: [item('itm_3', 5_000)] }),
      { counted: new Map(), usedIds: new Set(), redemption: null },
    )
    const [closing, receiving] = changes
    expect([closing.after.status, closing.after.items, closing.events]).toEqual(['VOIDED', [], []])
    expect(closing.after.voidReason).toBe('Merged into 260301-0001')
    expect(receiving.after.items.map(({ id }) => id)).toEqual(['itm_1', 'itm_2', 'itm_3'])
    expect(receiving.after.total).toBe(35_000)
    expect(types(receiving.events)).toEqual(['service.sale.updated.v1', 'service.sale.discarded.v1'])
  })

  test('to split numbers the new bill only, and announces it before the old one', () => {
    const before = bill('trx_1', {})
    const split = { items: [{ id: 'itm_2', quantity: 1 }] }
    const planned = splitOf(scope, before, { split, table: null, shiftId: null, counted: new Map() })
    const { changes } = decideSplit(scope, {
      before,
      after: planned.staying,
      bill: planned.bill,
      day: '2026-03-01',
    })
    expect(changes.map(({ before: old, number }) => [old?.id ?? null, number?.day ?? null])).toEqual([
      ['trx_1', null],
      [null, '2026-03-01'],
    ])
    expect(changes.map(({ after }) => after.total)).toEqual([10_000, 20_000])
    expect(changes.map(({ events }) => types(events))).toEqual([
      [],
      ['service.sale.parked.v1', 'service.sale.updated.v1'],
    ])
  })

  test('to discard fails pending payments, and leaves every other row the same object', () => {
    const before = bill('trx_1', {
      payments: [payment('pay_1', 'FAILED', 5_000), payment('pay_2', 'PENDING', 9_000)],
    })
    const { change } = decideReversal(scope, before, {
      taken: before,
      refund: null,
      reason: null,
      shiftId: null,
    })
    expect(change.after.payments.map(({ status }) => status)).toEqual(['FAILED', 'FAILED'])
    expect(change.after.payments[0]).toBe(before.payments[0])
    expect(change.after.items[0]).toBe(before.items[0])
    expect(types(change.events)).toEqual(['service.payment.failed.v1', 'service.sale.discarded.v1'])
  })

  test('under locks has no facts to prove and lets the caller reply', () => {
    const before = bill('trx_1', { payments: [payment('pay_1', 'PENDING', 30_000)] })
    const payments = before.payments.map((row) => ({ ...row, status: 'PAID' as const, applied: true }))
    const { change } = decidePayments(scope, { before, after: { ...before, payments, paidTotal: 30_000 } })
    expect([change.seen, change.reply, change.guards, change.movements]).toEqual([null, null, [], []])
    expect(types(change.events)).toEqual(['service.payment.received.v1'])
  })
})
