import { expect, test } from 'vitest'
import { manualClock } from '../../../src/platform/clock.ts'
import type { Api } from '../../support/api.ts'
import { makeOutlet } from '../../support/build.ts'
import { done, refusalOf } from '../../support/expect.ts'
import { useService, workspace } from '../../support/service.ts'

// Eleven at night in Jakarta.
const clock = manualClock('2026-03-10T16:00:00.000Z')
useService({ clock })

type Movement = { type?: 'PAID_IN' | 'PAID_OUT'; amount: number; category?: string | null; reason?: string }

async function openDrawer(api: Api, outletId: string): Promise<string> {
  return done(await api.post('/shifts/open', { outletId, openingFloat: 500_000 })).shift.id
}

const move = (api: Api, shiftId: string, movement: Movement) =>
  api.post(`/shifts/${shiftId}/cash-movements`, { type: 'PAID_OUT', ...movement })

async function expenses(api: Api, query: Record<string, string> = {}) {
  // A report covers what happened before it was asked for.
  clock.advance(1_000)
  return done(await api.get(`/reports/expenses?${new URLSearchParams(query).toString()}`)).expenses
}

const TOMORROW = '2026-03-11'

test('the example of B-expense-3: expenses add up by category, and change that comes back is taken off', async () => {
  const api = await workspace('Es batu')
  done(await api.put('/settings', { expenseCategories: ['Es batu', 'Parkir'] }))
  const shiftId = await openDrawer(api, await makeOutlet(api))
  const bought = done(
    await move(api, shiftId, { amount: 50_000, category: 'Es batu', reason: 'Toko Dingin' }),
  )
  expect(bought.cashMovement).toMatchObject({ category: 'Es batu', reason: 'Toko Dingin' })
  done(await move(api, shiftId, { amount: 30_000, category: 'Es batu' }))
  done(await move(api, shiftId, { type: 'PAID_IN', amount: 5_000, category: 'Es batu' }))
  const plain = done(await move(api, shiftId, { amount: 20_000 }))
  expect(plain.cashMovement.category).toBeNull()
  done(await move(api, shiftId, { type: 'PAID_IN', amount: 100_000 }))
  expect(await expenses(api)).toEqual([
    { category: 'Es batu', count: 2, paidOut: 80_000, returned: 5_000, amount: 75_000 },
    { category: null, count: 1, paidOut: 20_000, returned: 0, amount: 20_000 },
  ])
  expect((await api.get('/reports/expenses?format=csv')).text).toContain('Es batu,2,80000,5000,75000,')
  const paper = (await api.get(`/reports/shifts/${shiftId}?format=text&width=80`)).text
  expect(paper).toContain('Es batu: Toko Dingin')
})

test('an expense counts on the day of its outlet and for its outlet only', async () => {
  const api = await workspace('Two outlets')
  done(await api.put('/settings', { expenseCategories: ['Parkir'] }))
  const [jakarta, jayapura] = [
    await makeOutlet(api, { timezone: 'Asia/Jakarta' }),
    await makeOutlet(api, { timezone: 'Asia/Jayapura' }),
  ]
  for (const [outletId, amount] of [
    [jakarta, 1_000],
    [jayapura, 2_000],
  ] as const)
    done(await move(api, await openDrawer(api, outletId), { amount, category: 'Parkir' }))
  const amounts = async (query: Record<string, string>) =>
    (await expenses(api, query)).map(({ amount }: { amount: number }) => amount)
  expect(await amounts({})).toEqual([3_000])
  // It is still the tenth in Jakarta, and already the eleventh in Jayapura.
  expect(await amounts({ outletId: jakarta, from: '2026-03-10', to: TOMORROW })).toEqual([1_000])
  expect(await amounts({ outletId: jakarta, from: TOMORROW, to: '2026-03-12' })).toEqual([])
  expect(await amounts({ outletId: jayapura, from: '2026-03-10', to: TOMORROW })).toEqual([])
  expect(await amounts({ outletId: jayapura, from: TOMORROW, to: '2026-03-12' })).toEqual([2_000])
})

test('an unknown category is 422 category and moves no cash', async () => {
  const api = await workspace('Unknown category')
  const shiftId = await openDrawer(api, await makeOutlet(api))
  const none = await move(api, shiftId, { amount: 1_000, category: 'Es batu' })
  expect(refusalOf(none)).toEqual({ status: 422, code: 'VALIDATION_ERROR', param: 'category' })
  expect(none.error.message).toBe(
    'This workspace has no expense categories. Add them in the settings, or leave the category out',
  )
  done(await api.put('/settings', { expenseCategories: ['Es batu', 'Parkir'] }))
  const other = await move(api, shiftId, { amount: 1_000, category: 'es batu' })
  expect(refusalOf(other)).toEqual({ status: 422, code: 'VALIDATION_ERROR', param: 'category' })
  expect(other.error.message).toBe('There is no expense category es batu. Choose one of: Es batu, Parkir')
  expect(await expenses(api)).toEqual([])
  expect(refusalOf(await move(api, shiftId, { amount: 1_000, category: '' }))).toMatchObject({
    status: 400,
    param: 'category',
  })
})

test('a category that leaves the settings stays on its movements and in the report', async () => {
  const api = await workspace('Old category')
  done(await api.put('/settings', { expenseCategories: ['Galon'] }))
  const shiftId = await openDrawer(api, await makeOutlet(api))
  done(await move(api, shiftId, { amount: 18_000, category: 'Galon' }))
  expect(done(await api.put('/settings', { expenseCategories: [] })).settings.expenseCategories).toEqual([])
  expect(await expenses(api)).toEqual([
    { category: 'Galon', count: 1, paidOut: 18_000, returned: 0, amount: 18_000 },
  ])
  expect(refusalOf(await move(api, shiftId, { amount: 1, category: 'Galon' }))).toMatchObject({ status: 422 })
})

test('a workspace has at most 50 categories of 1 to 60 characters, and no name twice', async () => {
  const api = await workspace('Many categories')
  const names = Array.from({ length: 51 }, (_, index) => `Kategori ${index}`)
  const put = (expenseCategories: unknown) => api.put('/settings', { expenseCategories })
  expect(refusalOf(await put(names))).toMatchObject({ status: 400, param: 'expenseCategories' })
  expect(refusalOf(await put(['x'.repeat(61)]))).toMatchObject({ status: 400 })
  expect(refusalOf(await put(['']))).toMatchObject({ status: 400 })
  const twice = await put(['Parkir', 'Es batu', 'parkir'])
  expect(refusalOf(twice)).toEqual({ status: 422, code: 'VALIDATION_ERROR', param: 'expenseCategories' })
  expect(twice.error.message).toBe('The category parkir is in the list twice. Remove one of them')
  expect(done(await put(names.slice(1))).settings.expenseCategories).toHaveLength(50)
})

test('the expenses of another workspace and of an unknown outlet are not answered', async () => {
  const [mine, other] = [await workspace('Mine'), await workspace('Other')]
  const outletId = await makeOutlet(other)
  done(await move(other, await openDrawer(other, outletId), { amount: 9_000 }))
  expect(await expenses(mine)).toEqual([])
  expect(refusalOf(await mine.get(`/reports/expenses?outletId=${outletId}`))).toEqual({
    status: 404,
    code: 'NOT_FOUND',
    param: 'outletId',
  })
})
