import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { PAYMENT_METHODS } from '../../../../src/areas/selling/sales/rules/payments.ts'
import { payoutOf, type RefundablePayment } from '../../../../src/areas/selling/sales/rules/refundable.ts'

const cash = (amount: number, refundedAmount = 0): RefundablePayment => ({
  paymentId: 'p-cash',
  method: 'CASH',
  amount,
  refundedAmount,
})
const card = (amount: number, refundedAmount = 0): RefundablePayment => ({
  paymentId: 'p-card',
  method: 'GIFT_CARD',
  amount,
  refundedAmount,
})
const qris = (amount: number, refundedAmount = 0): RefundablePayment => ({
  paymentId: 'p-qris',
  method: 'QRIS',
  amount,
  refundedAmount,
})
const pay = (amount: number, payments: RefundablePayment[]) =>
  payoutOf({ amount, refundToStoreCredit: false, payments })

describe('paying out a refund', () => {
  test('money paid by any method but a gift card goes out as cash', () => {
    expect(pay(10_000, [qris(30_000), cash(20_000)])).toEqual({
      method: 'CASH',
      payouts: [{ method: 'CASH', amount: 10_000, paymentId: null }],
      shares: [
        { paymentId: 'p-qris', amount: 6_000 },
        { paymentId: 'p-cash', amount: 4_000 },
      ],
    })
  })

  test('a gift card that paid gets its share back, the rest is cash', () => {
    expect(pay(10_001, [card(25_000), cash(25_000)])).toEqual({
      method: 'GIFT_CARD',
      payouts: [
        { method: 'GIFT_CARD', amount: 5_001, paymentId: 'p-card' },
        { method: 'CASH', amount: 5_000, paymentId: null },
      ],
      shares: [
        { paymentId: 'p-card', amount: 5_001 },
        { paymentId: 'p-cash', amount: 5_000 },
      ],
    })
  })

  test('of two payouts of the same size the card names the refund, since cash is what is left over', () => {
    expect(pay(10_000, [cash(25_000), card(25_000)])).toMatchObject({
      method: 'GIFT_CARD',
      payouts: [
        { method: 'GIFT_CARD', amount: 5_000, paymentId: 'p-card' },
        { method: 'CASH', amount: 5_000, paymentId: null },
      ],
    })
    expect(pay(9_999, [cash(25_000), card(25_000)])).toMatchObject({
      method: 'CASH',
      payouts: [
        { method: 'GIFT_CARD', amount: 4_999, paymentId: 'p-card' },
        { method: 'CASH', amount: 5_000, paymentId: null },
      ],
    })
  })

  test('a rupiah that cannot be halved leaves by the payment that came first', () => {
    expect(pay(1, [cash(25_000), card(25_000)])).toEqual({
      method: 'CASH',
      payouts: [{ method: 'CASH', amount: 1, paymentId: null }],
      shares: [{ paymentId: 'p-cash', amount: 1 }],
    })
    expect(pay(1, [card(25_000), cash(25_000)])).toEqual({
      method: 'GIFT_CARD',
      payouts: [{ method: 'GIFT_CARD', amount: 1, paymentId: 'p-card' }],
      shares: [{ paymentId: 'p-card', amount: 1 }],
    })
  })

  test('two cards that paid alike are each paid back, the odd rupiah to the first', () => {
    const twin = { ...card(25_000), paymentId: 'p-twin' }
    expect(pay(10_001, [card(25_000), twin])).toEqual({
      method: 'GIFT_CARD',
      payouts: [
        { method: 'GIFT_CARD', amount: 5_001, paymentId: 'p-card' },
        { method: 'GIFT_CARD', amount: 5_000, paymentId: 'p-twin' },
      ],
      shares: [
        { paymentId: 'p-card', amount: 5_001 },
        { paymentId: 'p-twin', amount: 5_000 },
      ],
    })
  })

  test('shares follow what is not yet returned of each payment', () => {
    expect(pay(6_000, [card(25_000, 25_000), cash(25_000, 10_000)]).payouts).toEqual([
      { method: 'CASH', amount: 6_000, paymentId: null },
    ])
  })

  test('the share of a voided card goes out as cash', () => {
    expect(pay(10_000, [{ ...card(10_000), cardVoided: true }, cash(10_000)])).toEqual({
      method: 'CASH',
      payouts: [{ method: 'CASH', amount: 10_000, paymentId: null }],
      shares: [
        { paymentId: 'p-card', amount: 5_000 },
        { paymentId: 'p-cash', amount: 5_000 },
      ],
    })
  })

  test('a named method replaces the cash, not the card', () => {
    const refund = {
      amount: 10_000,
      refundToStoreCredit: false,
      method: 'TRANSFER' as const,
      payments: [card(5_000), qris(15_000)],
    }
    expect(payoutOf(refund)).toMatchObject({
      method: 'TRANSFER',
      payouts: [
        { method: 'GIFT_CARD', amount: 2_500 },
        { method: 'TRANSFER', amount: 7_500, paymentId: null },
      ],
    })
  })

  test('store credit takes the whole amount, even of a card', () => {
    expect(
      payoutOf({ amount: 10_000, refundToStoreCredit: true, payments: [card(10_000), cash(10_000)] }),
    ).toMatchObject({
      method: 'STORE_CREDIT',
      payouts: [{ method: 'STORE_CREDIT', amount: 10_000, paymentId: null }],
    })
  })

  test('a refund worth nothing pays nothing and makes no credit', () => {
    expect(pay(0, [cash(10_000)])).toEqual({ method: 'CASH', payouts: [], shares: [] })
    expect(payoutOf({ amount: 0, refundToStoreCredit: true, payments: [cash(10_000)] }).payouts).toEqual([])
  })

  test('payouts and shares both make the amount, and no payment gives back more than it holds', () => {
    const anyTender = fc.record({
      method: fc.constantFrom(...PAYMENT_METHODS),
      amount: fc.integer({ min: 1, max: 100_000 }),
      part: fc.integer({ min: 0, max: 100 }),
    })
    const anyTenders = fc.array(anyTender, { minLength: 1, maxLength: 6 }).map((rows) =>
      rows.map(({ method, amount, part }, index) => ({
        paymentId: `p${index}`,
        method,
        amount,
        refundedAmount: Math.floor((amount * part) / 100),
      })),
    )
    fc.assert(
      fc.property(anyTenders, fc.nat(), fc.boolean(), (payments, seed, refundToStoreCredit) => {
        const left = payments.reduce((a, t) => a + t.amount - t.refundedAmount, 0)
        const amount = seed % (left + 1)
        const { payouts, shares } = payoutOf({ amount, refundToStoreCredit, payments })
        expect(payouts.reduce((a, p) => a + p.amount, 0)).toBe(amount)
        expect(shares.reduce((a, s) => a + s.amount, 0)).toBe(amount)
        for (const share of shares) {
          const payment = payments.find((t) => t.paymentId === share.paymentId)
          expect(share.amount).toBeLessThanOrEqual((payment?.amount ?? 0) - (payment?.refundedAmount ?? 0))
        }
      }),
    )
  })
})
