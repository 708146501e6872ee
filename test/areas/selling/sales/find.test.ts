import { expect, test } from 'vitest'
import { manualClock } from '../../../../src/platform/clock.ts'
import type { Api } from '../../../support/api.ts'
import { makeOutlet, makeSale, makeVariant, openBill } from '../../../support/build.ts'
import { done, refusalOf, saleOf } from '../../../support/expect.ts'
import { acme, globex, useService, workspace } from '../../../support/service.ts'

const HOUR_MS = 3_600_000
const clock = manualClock('2026-03-10T05:00:00.000Z')
useService({ clock })

const ids = async (api: Api, query: string): Promise<string[]> => {
  const answer = await api.get(`/sales?${query}`)
  done(answer)
  return answer.data.map(({ id }: { id: string }) => id)
}

test('from and to find sales by their completion and open bills by their opening', async () => {
  const api = await workspace('Days')
  const outletId = await makeOutlet(api)
  const early = await openBill(api, { outletId })
  const settled = await openBill(api, { outletId })
  const discarded = await openBill(api, { outletId })
  clock.advance(HOUR_MS)
  const middle = clock.now()
  const sold = await makeSale(api, { outletId })
  done(await api.post(`/sales/${settled.id}/settle`, { payments: [{ method: 'CASH', amount: 20_000 }] }))
  done(await api.post(`/sales/${discarded.id}/discard`))
  const elsewhere = await makeSale(api)
  clock.advance(HOUR_MS)
  const late = clock.now()
  const last = await openBill(api, { outletId })
  clock.advance(HOUR_MS)
  expect(await ids(api, `outletId=${outletId}&from=${middle}&to=${late}`)).toEqual([sold.id, settled.id])
  expect(await ids(api, `outletId=${outletId}&to=${middle}`)).toEqual([early.id])
  expect(await ids(api, `outletId=${outletId}&from=${late}`)).toEqual([last.id])
  expect(await ids(api, `from=${middle}&to=${late}`)).toEqual([elsewhere.id, sold.id, settled.id])
  expect(await ids(api, `outletId=${outletId}&from=2026-03-10&status=PARKED`)).toEqual([last.id, early.id])
  expect(await ids(globex(), `from=${middle}&to=${late}`)).toEqual([])
  done(await api.post(`/sales/${sold.id}/refund`, {}))
  clock.advance(HOUR_MS)
  const refunded = `refundedFrom=${late}&from=${middle}&to=${late}`
  expect(await ids(api, `outletId=${outletId}&${refunded}`)).toEqual([sold.id])
  const first = await api.get(`/sales?outletId=${outletId}&from=2026-03-10&limit=2`)
  expect(first.data).toHaveLength(2)
  const second = await ids(api, `outletId=${outletId}&from=2026-03-10&limit=2&cursor=${first.meta.cursor}`)
  expect(second).toEqual([settled.id, early.id])
})

test('q finds a sale by its receipt number or by the reference of the till that was offline', async () => {
  const api = await workspace('Numbers')
  const [one, other] = [await makeOutlet(api), await makeOutlet(api)]
  const sale = saleOf(await api.get(`/sales/${(await makeSale(api, { outletId: one })).id}`))
  const same = saleOf(await api.get(`/sales/${(await makeSale(api, { outletId: other })).id}`))
  const offline = saleOf(
    await api.post('/sales', {
      outletId: one,
      items: [{ variantId: await makeVariant(api), quantity: 1, unitPrice: 10_000 }],
      offline: { ref: 'T1-0042', soldAt: clock.now(), terms: {}, printedTotal: 10_000 },
    }),
  )
  expect(same.number).toBe(sale.number)
  expect(await ids(api, `q=${sale.number}`)).toEqual([same.id, sale.id])
  expect(await ids(api, `q=${sale.number}&outletId=${one}`)).toEqual([sale.id])
  expect(await ids(api, 'q=T1-0042')).toEqual([offline.id])
  expect(await ids(api, `q=T1-0042&method=CASH&status=COMPLETED`)).toEqual([offline.id])
  expect(await ids(api, 'q=T1-0042&to=2020-01-01&from=2019-12-01')).toEqual([])
  expect(await ids(api, 'q=T1-004')).toEqual([])
  expect(await ids(globex(), `q=T1-0042`)).toEqual([])
})

test.each([
  ['from=yesterday', 400, 'from'],
  ['to=2026-13-01', 400, 'to'],
  ['from=2026-03-11&to=2026-03-10', 422, 'from'],
  ['q=', 400, 'q'],
])('GET /sales?%s is refused and names the parameter', async (query, status, param) => {
  const refused = await acme().get(`/sales?${query}`)
  expect(refusalOf(refused)).toEqual({ status, code: 'VALIDATION_ERROR', param })
  if (status === 400 && param !== 'q') expect(refused.error.message).toContain('2026-11-21T08:00:00+07:00')
})
