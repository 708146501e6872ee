import { describe, expect, test } from 'vitest'
import { rebuildRollups } from '../../../../src/areas/insight/reports/index.ts'
import { rollUp } from '../../../../src/areas/insight/reports/roll.ts'
import { manualClock } from '../../../../src/platform/clock.ts'
import type { Api } from '../../../support/api.ts'
import { makeCard, makeOutlet, makeSale, makeVariant, openBill, openShift } from '../../../support/build.ts'
import { done, expectNoDeadlocks, refusalOf, saleOf } from '../../../support/expect.ts'
import { enrolTill, memberWithPin, signedInAt } from '../../../support/pins.ts'
import { eventsOf } from '../../../support/read.ts'
import { acme, deps, globex, useService, workspace } from '../../../support/service.ts'

const DAY_MS = 86_400_000
// Noon in Jakarta.
const clock = manualClock('2026-03-10T05:00:00.000Z')
useService({ clock })
expectNoDeadlocks(deps)

type Counter = { api: Api; outletId: string; shiftId: string; variantId: string }
/** A workspace with an open shift of the caller and one thing for 10,000. */
async function counter(): Promise<Counter> {
  const api = await workspace('Counter')
  const outletId = await makeOutlet(api)
  return { api, outletId, shiftId: await openShift(api, outletId, 50_000), variantId: await makeVariant(api) }
}
const sell = async (
  { api, outletId, variantId }: Omit<Counter, 'shiftId'>,
  payments: object[],
  more: object = {},
) => saleOf(await api.post('/sales', { outletId, items: [{ variantId, quantity: 1 }], payments, ...more }))
const correct = (api: Api, sale: { id: string; payments: { id: string }[] }, body: object) =>
  api.post(`/sales/${sale.id}/payments/${sale.payments[0]?.id}/correct`, body)
const cashIn = async (api: Api, shiftId: string) =>
  done(await api.get(`/shifts/${shiftId}`)).shift.summary.cash
/** The methods of the summary; a report ends before the present moment. */
const methods = async (api: Api, query: string): Promise<[string, number, number][]> => {
  clock.advance(1_000)
  return done(await api.get(`/reports/summary?${query}`)).byMethod.map(
    ({ method, count, amount }: { method: string; count: number; amount: number }) => [method, count, amount],
  )
}
const cash = [{ method: 'CASH', amount: 10_000, tendered: 50_000 }]

describe('a corrected payment', () => {
  test('that leaves CASH has no change, moves out of the drawer, keeps its history and is announced', async () => {
    const made = await counter()
    const { api, shiftId } = made
    const sale = await sell(made, cash)
    expect(await cashIn(api, shiftId)).toMatchObject({ sales: 10_000, expected: 60_000 })
    clock.advance(60_000)
    const after = saleOf(await correct(api, sale, { method: 'CARD', reference: 'APPR 12' }))
    const history = { at: clock.now(), by: api.workspace.keyId, from: 'CASH', to: 'CARD', rounding: 0 }
    expect(after.payments).toEqual([
      expect.objectContaining({
        method: 'CARD',
        amount: 10_000,
        tendered: null,
        change: 0,
        reference: 'APPR 12',
        shiftId,
        corrections: [history],
      }),
    ])
    expect(after).toMatchObject({ changeTotal: 0, paidTotal: 10_000, version: sale.version + 1 })
    expect(saleOf(await api.get(`/sales/${sale.id}`))).toEqual(after)
    expect(await cashIn(api, shiftId)).toMatchObject({ sales: 0, expected: 50_000 })
    const { byMethod } = done(await api.get(`/shifts/${shiftId}`)).shift.summary
    expect(byMethod).toEqual([{ method: 'CARD', count: 1, amount: 10_000, refunds: 0, net: 10_000 }])
    const [event] = await eventsOf(api, 'service.sale.payment_corrected.v1')
    expect(event).toMatchObject({
      sale: { id: sale.id, changeTotal: 0 },
      payment: { method: 'CARD', corrections: [history] },
    })
  })

  test('that enters CASH counts its amount as handed over, and loses the reference of the card', async () => {
    const made = await counter()
    const sale = await sell(made, [{ method: 'CARD', amount: 10_000, reference: 'APPR 12' }])
    const after = saleOf(await correct(made.api, sale, { method: 'CASH' }))
    expect(after.payments[0]).toMatchObject({ method: 'CASH', tendered: 10_000, change: 0, reference: null })
    expect(await cashIn(made.api, made.shiftId)).toMatchObject({ expected: 60_000 })
    const twice = saleOf(await correct(made.api, sale, { method: 'QRIS' }))
    expect(
      twice.payments[0].corrections.map(({ from, to }: { from: string; to: string }) => [from, to]),
    ).toEqual([
      ['CARD', 'CASH'],
      ['CASH', 'QRIS'],
    ])
  })

  test('that leaves CASH takes its rounding back, and entering CASH does not round', async () => {
    const api = await workspace('Rounded')
    const outletId = await makeOutlet(api, { cashRounding: { step: 100, mode: 'NEAREST' } })
    const made = {
      api,
      outletId,
      shiftId: await openShift(api, outletId, 0),
      variantId: await makeVariant(api),
    }
    const roundingOf = async () => {
      clock.advance(1_000)
      return done(await api.get('/reports/summary')).rounding
    }
    const [item] = [{ variantId: made.variantId, quantity: 1, unitPrice: 10_040 }]
    const sale = await sell(made, [{ method: 'CASH', amount: 10_040 }], { items: [item] })
    expect(sale).toMatchObject({ roundingTotal: -40, payments: [{ rounding: -40 }] })
    expect(await cashIn(api, made.shiftId)).toMatchObject({ rounding: -40, expected: 10_000 })
    await rollUp(deps())
    expect(await roundingOf()).toBe(-40)
    const after = saleOf(await correct(api, sale, { method: 'QRIS' }))
    expect(after).toMatchObject({
      roundingTotal: 0,
      payments: [{ amount: 10_040, rounding: 0, corrections: [{ rounding: -40 }] }],
    })
    expect(await cashIn(api, made.shiftId)).toMatchObject({ rounding: 0, expected: 0 })
    expect(await roundingOf()).toBe(0)
    const back = saleOf(await correct(api, sale, { method: 'CASH' }))
    expect(back).toMatchObject({ roundingTotal: 0, payments: [{ rounding: 0, tendered: 10_040 }] })
    expect(await cashIn(api, made.shiftId)).toMatchObject({ rounding: 0, expected: 10_040 })
    done(await api.post(`/sales/${sale.id}/void`))
    expect(await roundingOf()).toBe(0)
    expect((await rebuildRollups(deps(), () => {})).differences).toEqual([])
  })

  test('of an open bill is counted by reports under its new method only, once the bill completes', async () => {
    const made = await counter()
    const bill = await sell(made, [{ method: 'CASH', amount: 4_000 }], { status: 'PARKED' })
    saleOf(await correct(made.api, bill, { method: 'TRANSFER' }))
    saleOf(await made.api.post(`/sales/${bill.id}/settle`, { payments: [{ method: 'CASH', amount: 6_000 }] }))
    expect(await methods(made.api, '')).toEqual([
      ['CASH', 1, 6_000],
      ['TRANSFER', 1, 4_000],
    ])
    expect((await rebuildRollups(deps(), () => {})).differences).toEqual([])
  })

  test('changes the report of the past day of its sale, before and after the figures of that day are rolled up', async () => {
    const api = await workspace('Past')
    const made = { api, outletId: await makeOutlet(api), variantId: await makeVariant(api) }
    const day = clock.now().slice(0, 10)
    const [early, late] = [await sell(made, cash), await sell(made, cash)]
    saleOf(await correct(api, early, { method: 'CARD' }))
    const ofDay = `outletId=${made.outletId}&from=${day}&to=${new Date(clock.ms() + DAY_MS).toISOString().slice(0, 10)}`
    const both = [
      ['CARD', 1, 10_000],
      ['CASH', 1, 10_000],
    ]
    expect(await methods(api, ofDay)).toEqual(both)
    clock.advance(20 * 3_600_000)
    await rollUp(deps())
    expect(await methods(api, ofDay)).toEqual(both)
    saleOf(await correct(api, late, { method: 'QRIS' }))
    saleOf(await correct(api, early, { method: 'OTHER' }))
    const after = [
      ['OTHER', 1, 10_000],
      ['QRIS', 1, 10_000],
    ]
    expect(await methods(api, ofDay)).toEqual(after)
    await rollUp(deps())
    expect(await methods(api, ofDay)).toEqual(after)
    expect((await rebuildRollups(deps(), () => {})).differences).toEqual([])
    done(await api.post(`/sales/${early.id}/void`))
    expect(await methods(api, ofDay)).toEqual([['QRIS', 1, 10_000]])
    await rollUp(deps())
    expect(await methods(api, ofDay)).toEqual([['QRIS', 1, 10_000]])
    expect((await rebuildRollups(deps(), () => {})).differences).toEqual([])
  })
})

describe('a correction is refused', () => {
  test('after the shift of the payment is closed, with the sale as it is', async () => {
    const made = await counter()
    const sale = await sell(made, cash)
    done(await made.api.post(`/shifts/${made.shiftId}/close`, { countedCash: 60_000 }))
    const refused = await correct(made.api, sale, { method: 'CARD' })
    expect(refusalOf(refused)).toEqual({ status: 409, code: 'CONFLICT' })
    expect(refused.error.details.sale.payments[0].method).toBe('CASH')
  })

  test('24 hours after a payment without a shift', async () => {
    const sale = await makeSale(acme())
    const { payments } = saleOf(await acme().get(`/sales/${sale.id}`))
    clock.advance(DAY_MS - 1)
    done(await correct(acme(), { id: sale.id, payments }, { method: 'CARD' }))
    clock.advance(1)
    expect(refusalOf(await correct(acme(), { id: sale.id, payments }, { method: 'CASH' }))).toEqual({
      status: 409,
      code: 'CONFLICT',
    })
  })

  test('of a voided sale and of a payment that was not paid', async () => {
    const made = await counter()
    const sale = await sell(made, cash)
    done(await made.api.post(`/sales/${sale.id}/void`))
    expect(refusalOf(await correct(made.api, sale, { method: 'CARD' }))).toEqual({
      status: 409,
      code: 'CONFLICT',
    })
    const bill = await openBill(made.api)
    const pending = saleOf(
      await made.api.post(`/sales/${bill.id}/payments`, { method: 'QRIS', amount: 1_000, status: 'PENDING' }),
    )
    expect(refusalOf(await correct(made.api, pending, { method: 'CARD' }))).toEqual({
      status: 409,
      code: 'CONFLICT',
    })
  })

  test('for a gift card, a virtual account, a payment of the partner and the method it has', async () => {
    const made = await counter()
    const { api } = made
    const card = await makeCard(api)
    const onPayment = { status: 422, code: 'VALIDATION_ERROR', param: 'paymentId' }
    for (const payment of [
      { method: 'GIFT_CARD', amount: 10_000, reference: card.code },
      { method: 'VA', amount: 10_000 },
      { method: 'QRIS', amount: 10_000, providerRef: 'qr-1' },
    ]) {
      const sale = await sell(made, [payment])
      expect(refusalOf(await correct(api, sale, { method: 'CASH' }))).toEqual(onPayment)
    }
    const sale = await sell(made, cash)
    await deps().db.updateTable('payments').set({ verified: true }).where('saleId', '=', sale.id).execute()
    expect(refusalOf(await correct(api, sale, { method: 'CARD' }))).toEqual(onPayment)
    const other = await sell(made, cash)
    expect(refusalOf(await correct(api, other, { method: 'CASH' }))).toEqual({
      status: 422,
      code: 'VALIDATION_ERROR',
      param: 'method',
    })
  })

  test('for methods that no till enters, and for a payment that is not of the sale', async () => {
    const made = await counter()
    const [sale, other] = [await sell(made, cash), await sell(made, cash)]
    for (const method of ['VA', 'GIFT_CARD', 'BARTER'])
      expect(refusalOf(await correct(made.api, sale, { method }))).toMatchObject({
        status: 400,
        param: 'method',
      })
    const mixed = { id: sale.id, payments: other.payments }
    expect(refusalOf(await correct(made.api, mixed, { method: 'CARD' }))).toEqual({
      status: 404,
      code: 'NOT_FOUND',
    })
    expect(refusalOf(await correct(globex(), sale, { method: 'CARD' }))).toEqual({
      status: 404,
      code: 'NOT_FOUND',
    })
  })

  test('after 20 corrections of one payment', async () => {
    const made = await counter()
    const sale = await sell(made, cash)
    for (let n = 0; n < 20; n += 1)
      saleOf(await correct(made.api, sale, { method: n % 2 === 0 ? 'CARD' : 'CASH' }))
    expect(refusalOf(await correct(made.api, sale, { method: 'CARD' }))).toEqual({
      status: 409,
      code: 'CONFLICT',
    })
  })

  test('to a cashier without the approval that the settings ask for; the approved one names the approver', async () => {
    const api = await workspace('Approves')
    done(await api.put('/settings', { approvals: { correctTender: true } }))
    const till = await enrolTill(api)
    const manager = await memberWithPin(api, 'MANAGER')
    const cashier = await signedInAt(till, await memberWithPin(api, 'CASHIER'))
    const sale = await sell(
      { api: cashier, outletId: till.outletId, variantId: await makeVariant(api) },
      cash,
    )
    const refused = await correct(cashier, sale, { method: 'CARD' })
    expect(refusalOf(refused)).toEqual({ status: 403, code: 'APPROVAL_REQUIRED' })
    expect(refused.error.details).toEqual({ action: 'correctTender' })
    const { token } = done(
      await cashier.post('/approvals', {
        memberId: manager.id,
        pin: manager.pin,
        action: 'correctTender',
        subjectId: sale.id,
      }),
    )
    const approved = await cashier.post(
      `/sales/${sale.id}/payments/${sale.payments[0].id}/correct`,
      { method: 'CARD' },
      { headers: { approval: token } },
    )
    expect(saleOf(approved).approvedBy).toBe(manager.id)
  })
})

describe('fifty clients at one payment', () => {
  const fifty = <T>(work: (n: number) => Promise<T>) =>
    Promise.all(Array.from({ length: 50 }, (_, n) => work(n)))
  const statusesOf = (answers: { status: number }[]) => answers.map(({ status }) => status)

  test('of two corrections to one method exactly one succeeds', async () => {
    const made = await counter()
    const sale = await sell(made, cash)
    const answers = await fifty(() => correct(made.api, sale, { method: 'CARD' }))
    expect(statusesOf(answers).toSorted()).toEqual([200, ...Array(49).fill(422)])
    const [payment] = saleOf(await made.api.get(`/sales/${sale.id}`)).payments
    expect(payment.corrections).toHaveLength(1)
  })

  test('a correction is counted by the close of the shift, or refused by it', async () => {
    const made = await counter()
    const { api, shiftId } = made
    const sales = await fifty(() => sell(made, cash))
    const closing = async () => {
      await correct(api, sales[0], { method: 'CARD' })
      return done(await api.post(`/shifts/${shiftId}/close`, { countedCash: 0 })).shift
    }
    const [shift, ...answers] = await Promise.all([
      closing(),
      ...sales.slice(1).map((sale) => correct(api, sale, { method: 'CARD' })),
    ])
    expect(statusesOf(answers).filter((status) => status !== 200 && status !== 409)).toEqual([])
    const corrected = 1 + statusesOf(answers).filter((status) => status === 200).length
    expect(shift.summary.cash.expected).toBe(50_000 + (50 - corrected) * 10_000)
  })

  test('a void gives back what the corrected payment says, or refuses the correction', async () => {
    const made = await counter()
    const { api, shiftId } = made
    const sales = await Promise.all(Array.from({ length: 25 }, () => sell(made, cash)))
    await fifty((n) => {
      const sale = sales[n % 25]
      return n < 25 ? correct(api, sale, { method: 'CARD' }) : api.post(`/sales/${sale.id}/void`)
    })
    expect(await cashIn(api, shiftId)).toMatchObject({ expected: 50_000 })
    const { byMethod } = done(await api.get(`/shifts/${shiftId}`)).shift.summary
    for (const { net } of byMethod) expect(net).toBe(0)
    expect(await methods(api, '')).toEqual([])
    await rollUp(deps())
    expect((await rebuildRollups(deps(), () => {})).differences).toEqual([])
  })
})
