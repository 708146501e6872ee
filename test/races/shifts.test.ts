import { afterAll, expect, test } from 'vitest'
import { shareBookingShift } from '../../src/areas/selling/shifts/index.ts'
import { newId } from '../../src/core/ids.ts'
import { inTx } from '../../src/platform/db/open.ts'
import { makeOutlet } from '../support/build.ts'
import { scopeOf } from '../support/clients.ts'
import { assertLedgerInvariants, expectNoDeadlocks } from '../support/expect.ts'
import { waiting } from '../support/read.ts'
import { bookTender, insertShiftSale, insertTender } from '../support/rows.ts'
import { acme, deps, useService } from '../support/service.ts'

useService({ synthetic: true })
expectNoDeadlocks(deps)
afterAll(() => assertLedgerInvariants(deps().db))

const openAt = async (outletId: string, openingFloat = 0) =>
  (await acme().post('/shifts/open', { outletId, openingFloat })).data.shift

test('50 opens at once give one open shift and 49 conflicts', async () => {
  const outletId = await makeOutlet(acme())
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => acme().post('/shifts/open', { outletId, openingFloat: 0 })),
  )
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, ...Array(49).fill(409)])
  expect((await acme().get(`/shifts?outletId=${outletId}&status=OPEN`)).data).toHaveLength(1)
})

test('20 closes at once close a shift once', async () => {
  const { id } = await openAt(await makeOutlet(acme()))
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, countedCash) => acme().post(`/shifts/${id}/close`, { countedCash })),
  )
  const won = answers.filter(({ status }) => status === 200)
  expect([won.length, answers.filter(({ status }) => status === 409).length]).toEqual([1, 19])
  expect((await acme().get(`/shifts/${id}`)).data.shift).toEqual(won[0]?.data.shift)
})

test('closes of ten shifts at once under one key close one of them', async () => {
  const ids = await Promise.all(
    Array.from({ length: 10 }, async () => (await openAt(await makeOutlet(acme()))).id as string),
  )
  const idempotencyKey = newId('request')
  const answers = await Promise.all(
    ids.map((id) => acme().post(`/shifts/${id}/close`, { countedCash: 0 }, { idempotencyKey })),
  )
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, ...Array(9).fill(409)])
  const shifts = await Promise.all(ids.map(async (id) => (await acme().get(`/shifts/${id}`)).data.shift))
  expect(shifts.map(({ status }) => status)).toEqual(
    answers.map(({ status }) => (status === 200 ? 'CLOSED' : 'OPEN')),
  )
})

test('a close waits for a payment that was first, and counts it', async () => {
  const outletId = await makeOutlet(acme())
  const shift = await openAt(outletId)
  const sale = await insertShiftSale(acme(), { outletId, shiftId: shift.id, status: 'COMPLETED' })
  const scope = scopeOf(acme())
  let closing: Promise<unknown> = Promise.resolve()
  await inTx(deps().db, async (tx) => {
    const shiftId = await shareBookingShift(tx, scope, { outletId, saleShiftId: shift.id })
    closing = acme().post(`/shifts/${shift.id}/close`, { countedCash: 10_000 })
    await expect.poll(waiting).toBeGreaterThan(0)
    await insertTender(tx, scope, sale, shiftId, { amount: 10_000 })
  })
  expect(await closing).toMatchObject({
    status: 200,
    data: { shift: { expectedCash: 10_000, difference: 0 } },
  })
})

test('a payment waits for a close that was first, and goes elsewhere', async () => {
  const outletId = await makeOutlet(acme())
  const shift = await openAt(outletId)
  const sale = await insertShiftSale(acme(), { outletId, shiftId: shift.id, status: 'COMPLETED' })
  let booking: Promise<string | null> = Promise.resolve(shift.id)
  await inTx(deps().db, async (tx) => {
    await tx
      .updateTable('shifts')
      .set({
        status: 'CLOSED',
        countedCash: 0,
        expectedCash: 0,
        difference: 0,
        summary: JSON.stringify({ cash: { expected: 0 } }),
        closedAt: scopeOf(acme()).now,
        closedBy: 'x',
      })
      .where('accountId', '=', acme().workspace.accountId)
      .where('id', '=', shift.id)
      .execute()
    booking = bookTender(scopeOf(acme()), sale, { amount: 10_000 })
    await expect.poll(waiting).toBeGreaterThan(0)
  })
  expect(await booking).toBeNull()
})

test('a close among payments counts exactly those booked to the shift', async () => {
  for (let round = 0; round < 20; round += 1) {
    const outletId = await makeOutlet(acme())
    const shift = await openAt(outletId, 5_000)
    const sale = await insertShiftSale(acme(), { outletId, shiftId: shift.id, status: 'COMPLETED' })
    const [closed, ...booked] = await Promise.all([
      acme().post(`/shifts/${shift.id}/close`, { countedCash: 0 }),
      ...Array.from({ length: 6 }, () => bookTender(scopeOf(acme()), sale, { amount: 1_000 })),
    ])
    const here = booked.filter((shiftId) => shiftId === shift.id).length
    expect(booked.filter((shiftId) => shiftId === null)).toHaveLength(6 - here)
    expect(closed.data.shift.expectedCash).toBe(5_000 + here * 1_000)
    expect((await acme().get(`/shifts/${shift.id}`)).data.shift).toEqual(closed.data.shift)
  }
})

test('cash taken out at two desks at once never exceeds the drawer', async () => {
  const { id } = await openAt(await makeOutlet(acme()), 100_000)
  const answers = await Promise.all(
    Array.from({ length: 10 }, () =>
      acme().post(`/shifts/${id}/cash-movements`, { type: 'PAID_OUT', amount: 30_000 }),
    ),
  )
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(3)
  expect((await acme().get(`/shifts/${id}`)).data.shift.expectedCash).toBe(10_000)
})
