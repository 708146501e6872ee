import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  applyPayments,
  openingOf,
  openingStatus,
  PAYMENT_METHODS,
  type SentPayment,
  settlementOf,
} from '../../../../src/areas/selling/sales/rules/payments.ts'

const bill = (total: number, paidTotal = 0) => ({ total, paidTotal, allowPending: true })
const refusal = (status: number, param?: string) =>
  expect.objectContaining(param === undefined ? { status } : { status, param })

describe('applying payments', () => {
  test.each<[string, SentPayment[], number, [number, number | null, number, string][], number, number]>([
    ['exact cash', [{ method: 'CASH', amount: 50_000 }], 50_000, [[50_000, 50_000, 0, 'PAID']], 50_000, 0],
    [
      'cash with change',
      [{ method: 'CASH', amount: 38_850, tendered: 50_000 }],
      38_850,
      [[38_850, 50_000, 11_150, 'PAID']],
      38_850,
      11_150,
    ],
    [
      'a bank note as amount',
      [{ method: 'CASH', amount: 100_000 }],
      38_850,
      [[38_850, 100_000, 61_150, 'PAID']],
      38_850,
      61_150,
    ],
    [
      'an amount above and tendered above that',
      [{ method: 'CASH', amount: 40_000, tendered: 100_000 }],
      38_850,
      [[38_850, 100_000, 61_150, 'PAID']],
      38_850,
      61_150,
    ],
    [
      'a cash deposit',
      [{ method: 'CASH', amount: 10_000, tendered: 20_000 }],
      38_850,
      [[10_000, 20_000, 10_000, 'PAID']],
      10_000,
      10_000,
    ],
    [
      'card then cash with change from the cash alone',
      [
        { method: 'CARD', amount: 30_000, tendered: 99_000 },
        { method: 'CASH', amount: 10_000 },
      ],
      38_850,
      [
        [30_000, null, 0, 'PAID'],
        [8_850, 10_000, 1_150, 'PAID'],
      ],
      38_850,
      1_150,
    ],
    [
      'a failed card counts nothing and may be larger than the bill',
      [
        { method: 'CARD', amount: 99_000, status: 'FAILED' },
        { method: 'QRIS', amount: 38_850 },
      ],
      38_850,
      [
        [99_000, null, 0, 'FAILED'],
        [38_850, null, 0, 'PAID'],
      ],
      38_850,
      0,
    ],
    [
      'pending ones reserve nothing, several may overlap',
      [
        { method: 'QRIS', amount: 38_850, status: 'PENDING' },
        { method: 'VA', amount: 38_850, status: 'PENDING' },
        { method: 'CASH', amount: 38_850 },
      ],
      38_850,
      [
        [38_850, null, 0, 'PENDING'],
        [38_850, null, 0, 'PENDING'],
        [38_850, 38_850, 0, 'PAID'],
      ],
      38_850,
      0,
    ],
  ])('%s', (_case, payments, total, expected, paidTotal, changeTotal) => {
    const result = applyPayments(payments, bill(total))
    expect(result.applied.map((t) => [t.amount, t.tendered, t.change, t.status])).toEqual(expected)
    expect([result.paidTotal, result.changeTotal]).toEqual([paidTotal, changeTotal])
  })

  test.each<[string, SentPayment[], { total: number; paidTotal: number; allowPending: boolean }, string]>([
    ['card above the remaining', [{ method: 'CARD', amount: 50_001 }], bill(50_000), 'payments[0].amount'],
    [
      'card above what a deposit left',
      [{ method: 'CARD', amount: 40_001 }],
      bill(50_000, 10_000),
      'payments[0].amount',
    ],
    [
      'cash given below the amount',
      [{ method: 'CASH', amount: 50_000, tendered: 49_999 }],
      bill(50_000),
      'payments[0].tendered',
    ],
    [
      'cash given of zero',
      [{ method: 'CASH', amount: 50_000, tendered: 0 }],
      bill(50_000),
      'payments[0].tendered',
    ],
    [
      'cash after the payment that covers',
      [
        { method: 'CASH', amount: 50_000 },
        { method: 'CASH', amount: 1 },
      ],
      bill(50_000),
      'payments[1].amount',
    ],
    [
      'a pending one after the payment that covers',
      [
        { method: 'CASH', amount: 50_000 },
        { method: 'QRIS', amount: 1, status: 'PENDING' },
      ],
      bill(50_000),
      'payments[1].amount',
    ],
    ['pending cash', [{ method: 'CASH', amount: 1, status: 'PENDING' }], bill(50_000), 'payments[0].status'],
    [
      'a pending gift card',
      [{ method: 'GIFT_CARD', amount: 1, reference: 'A', status: 'PENDING' }],
      bill(50_000),
      'payments[0].status',
    ],
    [
      'pending above the remaining',
      [{ method: 'VA', amount: 50_001, status: 'PENDING' }],
      bill(50_000),
      'payments[0].amount',
    ],
    [
      'pending where money must be in',
      [{ method: 'VA', amount: 5, status: 'PENDING' }],
      { ...bill(50_000), allowPending: false },
      'payments[0].status',
    ],
    ['a gift card without code', [{ method: 'GIFT_CARD', amount: 1 }], bill(50_000), 'payments[0].reference'],
    [
      'a gift card with a blank code',
      [{ method: 'GIFT_CARD', amount: 1, reference: ' ' }],
      bill(50_000),
      'payments[0].reference',
    ],
    ['any payment on a bill of nothing', [{ method: 'CASH', amount: 1 }], bill(0), 'payments[0].amount'],
  ])('%s answers 422 naming the field', (_case, payments, options, param) => {
    expect(() => applyPayments(payments, options)).toThrow(refusal(422, param))
  })

  test('a payment that is the whole body is named by its bare field', () => {
    const options = { ...bill(10), paramOf: () => '' }
    expect(() => applyPayments([{ method: 'CARD', amount: 11 }], options)).toThrow(refusal(422, 'amount'))
  })

  test('what the till noted with a payment is kept', () => {
    const [payment] = applyPayments(
      [{ method: 'GIFT_CARD', amount: 5, reference: 'ABCD-1', providerRef: 'p1' }],
      bill(9),
    ).applied
    expect(payment).toEqual({
      method: 'GIFT_CARD',
      amount: 5,
      tendered: null,
      change: 0,
      rounding: 0,
      reference: 'ABCD-1',
      providerRef: 'p1',
      dueDate: null,
      status: 'PAID',
    })
  })

  test('money taken less change is what was applied, never above the total', () => {
    const payment = fc.record({
      method: fc.constantFrom(...PAYMENT_METHODS),
      amount: fc.integer({ min: 1, max: 200_000 }),
      reference: fc.constant('CODE'),
    })
    fc.assert(
      fc.property(
        fc.array(payment, { maxLength: 6 }),
        fc.integer({ min: 0, max: 300_000 }),
        (payments, total) => {
          let result: ReturnType<typeof applyPayments>
          try {
            result = applyPayments(payments, bill(total))
          } catch {
            return
          }
          const taken = result.applied.reduce((a, t) => a + (t.tendered ?? t.amount), 0)
          expect(taken - result.changeTotal).toBe(result.paidTotal)
          expect(result.paidTotal).toBeLessThanOrEqual(total)
        },
      ),
    )
  })
})

describe('the state a sale opens in', () => {
  test.each([
    [undefined, false, 50_000, 0, 'PARKED'],
    [undefined, false, 0, 0, 'PARKED'],
    [undefined, true, 50_000, 50_000, 'COMPLETED'],
    [undefined, true, 50_000, 49_999, 'PARKED'],
    [undefined, true, 50_000, 0, 'PARKED'],
    ['PARKED', false, 50_000, 0, 'PARKED'],
    ['PARKED', true, 50_000, 50_000, 'PARKED'],
    ['PARKED', true, 50_000, 10_000, 'PARKED'],
    ['COMPLETED', false, 50_000, 0, 'COMPLETED'],
    ['COMPLETED', false, 0, 0, 'COMPLETED'],
    ['COMPLETED', true, 50_000, 50_000, 'COMPLETED'],
  ] as const)(
    'status %s, payments %s, total %d, paid %d opens %s',
    (requested, hasPayments, total, paidTotal, expected) => {
      expect(openingStatus({ requested, hasPayments, total, paidTotal })).toBe(expected)
    },
  )

  test('COMPLETED with payments that do not cover answers 422 for payments', () => {
    const payments: SentPayment[] = [{ method: 'CASH', amount: 49_999 }]
    expect(() => openingOf({ requested: 'COMPLETED', payments, total: 50_000 })).toThrow(
      refusal(422, 'payments'),
    )
  })

  test('COMPLETED with a pending payment answers 422 for its status', () => {
    const payments: SentPayment[] = [{ method: 'QRIS', amount: 50_000, status: 'PENDING' }]
    expect(() => openingOf({ requested: 'COMPLETED', payments, total: 50_000 })).toThrow(
      refusal(422, 'payments[0].status'),
    )
  })

  test.each([[undefined], [[]]])(
    'COMPLETED with payments %j is paid in cash of exactly the total',
    (payments) => {
      expect(openingOf({ requested: 'COMPLETED', payments, total: 38_850 })).toEqual({
        status: 'COMPLETED',
        applied: [
          {
            method: 'CASH',
            amount: 38_850,
            tendered: 38_850,
            change: 0,
            rounding: 0,
            reference: null,
            providerRef: null,
            dueDate: null,
            status: 'PAID',
          },
        ],
        paidTotal: 38_850,
        changeTotal: 0,
        roundingTotal: 0,
      })
    },
  )

  test('COMPLETED of a total of 0 needs no payment and makes none', () => {
    expect(openingOf({ requested: 'COMPLETED', payments: undefined, total: 0 })).toEqual({
      status: 'COMPLETED',
      applied: [],
      paidTotal: 0,
      changeTotal: 0,
      roundingTotal: 0,
    })
  })

  test('a deposit parks the bill with its part stored', () => {
    const opened = openingOf({
      requested: undefined,
      payments: [{ method: 'CASH', amount: 20_000 }],
      total: 50_000,
    })
    expect(opened).toMatchObject({ status: 'PARKED', paidTotal: 20_000, changeTotal: 0 })
    expect(opened.applied).toHaveLength(1)
  })

  test('a pending payment alone parks the bill', () => {
    const payments: SentPayment[] = [{ method: 'QRIS', amount: 50_000, status: 'PENDING' }]
    expect(openingOf({ requested: undefined, payments, total: 50_000 })).toMatchObject({
      status: 'PARKED',
      paidTotal: 0,
    })
  })
})

describe('settling', () => {
  test('payments that cover what is left settle the bill', () => {
    expect(
      settlementOf([{ method: 'CASH', amount: 50_000 }], { total: 50_000, paidTotal: 20_000 }),
    ).toMatchObject({
      paidTotal: 50_000,
      changeTotal: 20_000,
    })
  })

  test('a bill with nothing left is settled by an empty list', () => {
    expect(settlementOf([], { total: 50_000, paidTotal: 50_000 })).toEqual({
      applied: [],
      paidTotal: 50_000,
      changeTotal: 0,
      roundingTotal: 0,
    })
  })

  test('a payment on a bill with nothing left answers 409', () => {
    const covered = { total: 50_000, paidTotal: 50_000 }
    expect(() => settlementOf([{ method: 'CASH', amount: 1 }], covered)).toThrow(refusal(409))
  })

  test('payments that leave a rest, or none at all, answer 422 for payments', () => {
    const open = { total: 50_000, paidTotal: 20_000 }
    expect(() => settlementOf([{ method: 'CARD', amount: 29_999 }], open)).toThrow(refusal(422, 'payments'))
    expect(() => settlementOf([], open)).toThrow(refusal(422, 'payments'))
  })

  test('a pending payment answers 422 for its status', () => {
    const payments: SentPayment[] = [{ method: 'CARD', amount: 50_000, status: 'PENDING' }]
    expect(() => settlementOf(payments, { total: 50_000, paidTotal: 0 })).toThrow(
      refusal(422, 'payments[0].status'),
    )
  })
})
