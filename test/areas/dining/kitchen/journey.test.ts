import { expect, test } from 'vitest'
import type { Api } from '../../../support/api.ts'
import { makeOutlet, makeTable } from '../../../support/build.ts'
import { address, useService, workspace } from '../../../support/service.ts'
import { openStream } from '../../../support/stream.ts'

useService()

const makeDish = async (api: Api, name: string, fields: object = {}): Promise<string> =>
  (await api.post('/products', { name, trackStock: false, variants: [{ price: 25_000 }], ...fields })).data
    .product.variants[0].id

async function openRestaurant(name: string) {
  const api = await workspace(name)
  const outletId = await makeOutlet(api)
  const [one, two] = [await makeTable(api, outletId, '1'), await makeTable(api, outletId, '2')]
  const satay = await makeDish(api, 'Sate Ayam', { station: 'grill' })
  const tea = await makeDish(api, 'Es Teh', { station: 'bar' })
  const park = async (tableId: string, ...variantIds: string[]) =>
    (
      await api.post('/sales', {
        outletId,
        tableId,
        status: 'PARKED',
        items: variantIds.map((variantId) => ({ variantId, quantity: 2 })),
      })
    ).data.sale
  const board = async (query = '') => (await api.get(`/kds?outletId=${outletId}${query}`)).data.tickets
  const floor = async () =>
    (await api.get(`/tables/floor?outletId=${outletId}`)).data.tables.map(
      (table: { label: string; occupied: boolean; openBill: { remaining: number } | null }) => [
        table.label,
        table.occupied,
        table.openBill?.remaining ?? null,
      ],
    )
  return { api, outletId, one, two, satay, tea, park, board, floor }
}

test('a dinner from the table to the till: every screen agrees at every step', async () => {
  const { api, outletId, one, two, satay, tea, park, board, floor } = await openRestaurant('Dinner')
  const stream = await openStream(address(), api.workspace.key, { query: `?outletId=${outletId}` })
  const bill = await park(one.id, satay, tea)
  expect(await floor()).toEqual([
    ['1', true, 100_000],
    ['2', false, null],
  ])
  const [ticket] = await board()
  expect(ticket).toMatchObject({ id: bill.id, number: bill.number, tableLabel: '1', state: 'NEW' })
  expect((await board('&station=bar'))[0].items).toMatchObject([{ name: 'Es Teh', station: 'bar' }])

  // The grill starts, then the guests want one skewer less and a tea more, at the other table.
  const [grilled, poured] = ticket.items
  await api.post(`/kds/items/${grilled.id}/advance`)
  await api.patch(`/sales/${bill.id}/items`, {
    tableId: two.id,
    items: [
      { id: grilled.id, quantity: 1 },
      { id: poured.id, quantity: 3 },
    ],
  })
  const [edited] = await board()
  expect(edited).toMatchObject({ tableLabel: '2', state: 'NEW' })
  const shown = edited.items.map((item: Record<string, unknown>) => [
    item['name'],
    item['status'],
    item['quantity'],
    item['isActive'],
    item['cancelledQty'],
  ])
  expect(shown).toEqual([
    ['Sate Ayam', 'PREPARING', 1, true, 0],
    ['Es Teh', 'NEW', 3, true, 0],
    ['Sate Ayam', 'PREPARING', 0, false, 1],
  ])
  expect(await floor()).toEqual([
    ['1', false, null],
    ['2', true, 100_000],
  ])

  // Paying frees the table; the kitchen still owes the food.
  const paid = await api.post(`/sales/${bill.id}/settle`, { payments: [{ method: 'CASH', amount: 100_000 }] })
  expect(paid.data.sale.status).toBe('COMPLETED')
  expect(await floor()).toEqual([
    ['1', false, null],
    ['2', false, null],
  ])
  await api.post(`/kds/${bill.id}/advance`)
  await api.post(`/kds/items/${poured.id}/advance`)
  expect((await api.get(`/kds/counts?outletId=${outletId}`)).data).toEqual({ active: 1, ready: 1 })
  const served = await api.post(`/kds/tables/${two.id}/serve`)
  expect([served.data.served, served.data.tickets[0].state]).toEqual([2, 'SERVED'])
  expect(await board()).toEqual([])
  const events = await api.events()
  expect(events.filter((type) => type.startsWith('service.kitchen'))).toEqual([
    'service.kitchen.ticket_ready.v1',
  ])
  for (const topic of ['kds', 'serve', 'floor']) {
    await stream.until(({ frames }) => frames().some(({ change }) => change.topic === topic))
  }
  stream.close()
})

test('a discarded or voided sale leaves the board, and so does one that loses its order type', async () => {
  const { api, one, satay, park, board } = await openRestaurant('Leaving')
  const [discarded, plain, voided] = [
    await park(one.id, satay),
    await park(one.id, satay),
    await park(one.id, satay),
  ]
  await api.post(`/sales/${voided.id}/settle`, { payments: [{ method: 'CASH', amount: 50_000 }] })
  expect(await board()).toHaveLength(3)
  await api.post(`/sales/${discarded.id}/discard`)
  await api.post(`/sales/${voided.id}/void`)
  await api.patch(`/sales/${plain.id}/items`, { orderType: null, items: [{ variantId: satay, quantity: 2 }] })
  expect(await board()).toEqual([])
  for (const sale of [discarded, plain, voided]) {
    expect((await api.post(`/kds/${sale.id}/advance`)).status).toBe(409)
  }
})

test('taking away the last unready line of a ticket makes it ready, and says so', async () => {
  const { api, one, satay, tea, park } = await openRestaurant('Edited ready')
  const bill = await park(one.id, satay, tea)
  await api.post(`/kds/items/${bill.items[0].id}/advance`)
  await api.post(`/kds/items/${bill.items[0].id}/advance`)
  await api.patch(`/sales/${bill.id}/items`, { items: [{ id: bill.items[0].id }] })
  expect((await api.events()).filter((type) => type.startsWith('service.kitchen'))).toHaveLength(1)
})

test('while waiters edit a bill the cooks step it: no step is lost and nothing cooked vanishes', async () => {
  const { api, one, satay, tea, park, board } = await openRestaurant('Busy')
  const bill = await park(one.id, satay, tea)
  const [grilled, poured] = bill.items
  const edits = [3, 4, 5, 6].map((quantity) =>
    api.patch(`/sales/${bill.id}/items`, { items: [{ id: grilled.id }, { id: poured.id, quantity }] }),
  )
  const steps = [1, 2].map(() => api.post(`/kds/items/${grilled.id}/advance`))
  const answers = await Promise.all([...edits, ...steps])
  expect(answers.map((answer) => answer.status)).toEqual(Array(6).fill(200))
  const [ticket] = await board()
  expect(ticket.items.find((item: { id: string }) => item.id === grilled.id)).toMatchObject({
    status: 'READY',
    quantity: 2,
  })
})
