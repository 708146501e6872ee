import { expect, test } from 'vitest'
import { manualClock } from '../../../../src/platform/clock.ts'
import type { Api } from '../../../support/api.ts'
import { makeTable, openShop } from '../../../support/build.ts'
import { refusalOf, saleOf } from '../../../support/expect.ts'
import { waiting } from '../../../support/read.ts'
import { acme, deps, useService } from '../../../support/service.ts'

const clock = manualClock('2026-11-21T03:00:00.000Z')
useService({ clock })

const HOUR = 3_600_000
const DAY = 24 * HOUR

const order = async (api: Api, fields: Record<string, unknown>) => {
  const shop = await openShop(api)
  const table = await makeTable(api, shop.outletId, `T${shop.outletId.slice(-6)}`)
  const body = { outletId: shop.outletId, tableId: table.id, orderType: 'DINE_IN', ...fields }
  const items = [{ variantId: shop.latte, quantity: 1 }]
  const sale = saleOf(await api.post('/sales', { ...body, items }))
  return {
    outletId: shop.outletId,
    tableId: table.id,
    id: sale.id as string,
    itemId: sale.items[0].id as string,
  }
}

/** What every board of the outlet says of its tickets. */
const boards = async (outletId: string) => {
  const of = `outletId=${outletId}`
  const [kds, ready, counts] = await Promise.all(
    [`/kds?${of}`, `/kds/ready?${of}`, `/kds/counts?${of}`].map((path) => acme().get(path)),
  )
  const all = (await acme().get('/kds')).data.tickets
  return {
    tickets: kds?.data.tickets.length,
    groups: ready?.data.groups.length,
    active: counts?.data.active,
    ofAll: all.filter((ticket: { outletId: string }) => ticket.outletId === outletId).length,
  }
}
const SHOWN = { tickets: 1, groups: 1, active: 1, ofAll: 1 }
const GONE = { tickets: 0, groups: 0, active: 0, ofAll: 0 }

test('a ticket that was paid and never served leaves every board a day after its sale last changed', async () => {
  const { outletId, id } = await order(acme(), { status: 'COMPLETED' })
  clock.advance(DAY)
  expect(await boards(outletId)).toEqual(SHOWN)
  clock.advance(1)
  expect(await boards(outletId)).toEqual(GONE)
  const { sale } = (await acme().get(`/sales/${id}`)).data
  expect(sale.items[0].kitchenStatus ?? 'NEW').toBe('NEW')
})

test('a ticket of an open bill stays for as long as the bill is open, and a day beyond', async () => {
  const { outletId, id } = await order(acme(), { status: 'PARKED' })
  clock.advance(30 * DAY)
  expect(await boards(outletId)).toEqual(SHOWN)
  saleOf(await acme().post(`/sales/${id}/payments`, { method: 'CASH', amount: 15_000 }))
  clock.advance(DAY)
  expect(await boards(outletId)).toEqual(SHOWN)
  clock.advance(1)
  expect(await boards(outletId)).toEqual(GONE)
})

test('a step of the kitchen is a change: it keeps a ticket, and brings one back that had left', async () => {
  const { outletId, id, itemId } = await order(acme(), { status: 'COMPLETED' })
  clock.advance(20 * HOUR)
  expect((await acme().post(`/kds/items/${itemId}/advance`)).status).toBe(200)
  clock.advance(20 * HOUR)
  expect(await boards(outletId)).toEqual(SHOWN)
  clock.advance(5 * HOUR)
  expect(await boards(outletId)).toEqual(GONE)
  const back = await acme().post(`/kds/${id}/back`)
  expect([back.status, back.data.ticket.state]).toEqual([200, 'NEW'])
  expect(await boards(outletId)).toEqual(SHOWN)
})

test('a table serves what is ready on the board, not what left it unserved', async () => {
  const { tableId, outletId, itemId } = await order(acme(), { status: 'COMPLETED' })
  for (let step = 0; step < 2; step += 1) await acme().post(`/kds/items/${itemId}/advance`)
  expect((await acme().get(`/kds/counts?outletId=${outletId}`)).data).toEqual({ active: 1, ready: 1 })
  clock.advance(DAY + 1)
  const late = await acme().post(`/kds/tables/${tableId}/serve`)
  expect(refusalOf(late)).toMatchObject({ status: 409, code: 'CONFLICT' })
})

test('a table serves nothing of a bill that has moved to another table meanwhile', async () => {
  const { tableId, outletId, itemId, id } = await order(acme(), { status: 'PARKED' })
  for (let step = 0; step < 2; step += 1) await acme().post(`/kds/items/${itemId}/advance`)
  const there = await makeTable(acme(), outletId)
  const edit = await deps().pool.connect()
  try {
    await edit.query('begin')
    await edit.query('update sales set table_id = $2 where id = $1 and account_id = $3', [
      id,
      there.id,
      acme().workspace.accountId,
    ])
    const serving = acme().post(`/kds/tables/${tableId}/serve`)
    await expect.poll(waiting).toBe(1)
    await edit.query('commit')
    expect(refusalOf(await serving)).toMatchObject({ status: 409, code: 'CONFLICT' })
  } finally {
    edit.release()
  }
})
