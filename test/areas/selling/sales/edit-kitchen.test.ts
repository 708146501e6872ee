import { beforeAll, describe, expect, test } from 'vitest'
import { openShop, type Shop } from '../../../support/build.ts'
import { refusalOf, saleOf } from '../../../support/expect.ts'
import { eventsAbout } from '../../../support/read.ts'
import { acme, useService } from '../../../support/service.ts'

useService()

let shop: Shop
beforeAll(async () => {
  shop = await openShop(acme())
})

type Fields = Record<string, unknown>
type State = 'NEW' | 'PREPARING' | 'READY' | 'SERVED'
const STATES: readonly State[] = ['NEW', 'PREPARING', 'READY', 'SERVED']
const latte = (quantity: number, fields: Fields = {}) => ({ variantId: shop.latte, quantity, ...fields })
const cake = (quantity: number, fields: Fields = {}) => ({ variantId: shop.cake, quantity, ...fields })

/** An open dine-in bill whose lines the kitchen has brought to these states, stepped through its own routes. */
async function cooking(items: Fields[], states: readonly State[], fields: Fields = {}) {
  const body = { outletId: shop.outletId, items, orderType: 'DINE_IN', ...fields }
  const bill = saleOf(await acme().post('/sales', body))
  for (const [index, state] of states.entries()) {
    for (let step = 0; step < STATES.indexOf(state); step += 1) {
      const stepped = await acme().post(`/kds/items/${bill.items[index].id}/advance`)
      expect(stepped.status, stepped.text).toBe(200)
    }
  }
  return saleOf(await acme().get(`/sales/${bill.id}`))
}
const edit = async (id: string, items: Fields[], fields: Fields = {}) =>
  saleOf(await acme().patch(`/sales/${id}/items`, { items, ...fields }))
/** What matters of each line, in order: id as its place before the edit, or `new`. */
const linesOf = (after: { items: Fields[] }, before: { items: Fields[] }) =>
  after.items.map((item) => {
    const index = before.items.findIndex((old) => old['id'] === item['id'])
    const name = index < 0 ? 'new' : `line ${index}`
    return [name, item['quantity'], item['kitchenStatus'], item['isActive'], item['cancelledQty']]
  })
const ticketOf = async (saleId: string) => {
  const { tickets } = (await acme().get(`/kds?outletId=${shop.outletId}`)).data
  return tickets.find((ticket: { id: string }) => ticket.id === saleId)
}

test('a line without a note is the same line, whether its note is sent empty, null or not at all', async () => {
  const bill = await cooking([latte(1, { note: '' })], ['PREPARING'])
  for (const note of ['', null, undefined]) {
    const after = await edit(bill.id, [latte(1, { note })])
    expect(linesOf(after, bill)).toEqual([['line 0', 1, 'PREPARING', true, 0]])
  }
})

describe.each(['PREPARING', 'READY', 'SERVED'] as const)('a line that is %s', (state) => {
  test('stays as it is when nothing of it changes', async () => {
    const bill = await cooking([latte(2), cake(1)], [state])
    const after = await edit(bill.id, [{ id: bill.items[0].id }, cake(1)])
    expect(linesOf(after, bill)).toEqual([
      ['line 0', 2, state, true, 0],
      ['line 1', 1, 'NEW', true, 0],
    ])
    expect(after.items[0].kitchenUpdatedAt).toBe(bill.items[0].kitchenUpdatedAt)
  })

  test('sends only the surplus to the kitchen when it grows, and keeps its discount to itself', async () => {
    const bill = await cooking([latte(2, { discount: 3_000, note: 'hot' })], [state])
    const after = await edit(bill.id, [{ id: bill.items[0].id, quantity: 5 }, cake(1)])
    expect(linesOf(after, bill)).toEqual([
      ['line 0', 2, state, true, 0],
      ['new', 3, 'NEW', true, 0],
      ['new', 1, 'NEW', true, 0],
    ])
    expect(after.items.map((item: Fields) => [item['discount'], item['note']])).toEqual([
      [3_000, 'hot'],
      [0, 'hot'],
      [0, null],
    ])
    expect(after.total).toBe(5 * 15_000 - 3_000 + 7_500)
    expect((await ticketOf(bill.id)).state).toBe('NEW')
  })

  test('leaves behind what was cooked when it shrinks: a row that counts nowhere', async () => {
    const bill = await cooking([latte(3)], [state])
    const after = await edit(bill.id, [{ id: bill.items[0].id, quantity: 1 }, cake(1)])
    expect(linesOf(after, bill)).toEqual([
      ['line 0', 1, state, true, 0],
      ['new', 1, 'NEW', true, 0],
      ['new', 0, state, false, 2],
    ])
    expect(after).toMatchObject({ total: 22_500, itemCount: 2 })
    expect(after.items[2]).toMatchObject({ variantId: shop.latte, discount: 0, lineTotal: 0, taxAmount: 0 })
    expect(saleOf(await acme().get(`/sales/${bill.id}`))).toEqual(after)
    const shown = (await ticketOf(bill.id)).items.map((item: Fields) => [
      item['quantity'],
      item['cancelledQty'],
    ])
    expect(shown).toEqual([
      [1, 0],
      [1, 0],
      [0, 2],
    ])
  })

  test('turns inactive when it is removed, and comes back only as a new line', async () => {
    const bill = await cooking([latte(2), cake(1)], [state])
    const after = await edit(bill.id, [{ id: bill.items[1].id }])
    expect(linesOf(after, bill)).toEqual([
      ['line 1', 1, 'NEW', true, 0],
      ['line 0', 0, state, false, 2],
    ])
    const named = await acme().patch(`/sales/${bill.id}/items`, {
      items: [{ id: bill.items[0].id, quantity: 1 }],
    })
    expect(refusalOf(named)).toEqual({ status: 422, code: 'VALIDATION_ERROR', param: 'items[0].id' })
    const again = await edit(bill.id, [latte(2), cake(1)])
    expect(linesOf(again, bill)).toEqual([
      ['new', 2, 'NEW', true, 0],
      ['line 1', 1, 'NEW', true, 0],
      ['line 0', 0, state, false, 2],
    ])
    const stepped = await acme().post(`/kds/items/${bill.items[0].id}/advance`)
    expect(refusalOf(stepped)).toEqual({ status: 409, code: 'CONFLICT' })
  })

  test('keeps its state when its note, price or modifiers change by id', async () => {
    const bill = await cooking([latte(1, { note: 'hot' })], [state])
    const modifiers = [{ name: 'Oat', price: 2_000 }]
    const after = await edit(bill.id, [
      { id: bill.items[0].id, note: 'very hot', unitPrice: 10_000, modifiers },
    ])
    expect(linesOf(after, bill)).toEqual([['line 0', 1, state, true, 0]])
    expect(after.items[0]).toMatchObject({ note: 'very hot', unitPrice: 10_000, lineTotal: 12_000 })
  })

  test('with its id and another variant is a removal and a new line', async () => {
    const bill = await cooking([latte(2)], [state])
    const after = await edit(bill.id, [{ id: bill.items[0].id, variantId: shop.cake }])
    expect(linesOf(after, bill)).toEqual([
      ['new', 2, 'NEW', true, 0],
      ['line 0', 0, state, false, 2],
    ])
    expect(after).toMatchObject({ total: 15_000, itemCount: 1 })
  })
})

describe('a line the kitchen has not started', () => {
  test('grows, shrinks and vanishes without a trace', async () => {
    const bill = await cooking([latte(2), cake(2)], [])
    const grown = await edit(bill.id, [
      { id: bill.items[0].id, quantity: 5 },
      { id: bill.items[1].id, quantity: 1 },
    ])
    expect(linesOf(grown, bill)).toEqual([
      ['line 0', 5, 'NEW', true, 0],
      ['line 1', 1, 'NEW', true, 0],
    ])
    const less = await edit(bill.id, [cake(1)])
    expect(linesOf(less, bill)).toEqual([['line 1', 1, 'NEW', true, 0]])
    const swapped = await edit(bill.id, [{ id: bill.items[1].id, variantId: shop.bag }])
    expect(linesOf(swapped, bill)).toEqual([['new', 1, 'NEW', true, 0]])
  })
})

describe('a line without an id finds its own', () => {
  test('by variant, price, note and modifiers in any order', async () => {
    const [oat, hot] = [
      { name: 'Oat', price: 1_000 },
      { name: 'Hot', price: 0 },
    ]
    const items = [latte(1, { modifiers: [oat, hot] }), latte(1), latte(1, { note: 'x' })]
    const bill = await cooking(items, ['READY', 'PREPARING', 'SERVED'])
    const after = await edit(bill.id, [
      latte(1, { note: 'x' }),
      latte(1, { modifiers: [hot, oat] }),
      latte(1),
    ])
    expect(linesOf(after, bill)).toEqual([
      ['line 2', 1, 'SERVED', true, 0],
      ['line 0', 1, 'READY', true, 0],
      ['line 1', 1, 'PREPARING', true, 0],
    ])
  })

  test('without a price: the catalogue’s first, then the oldest, which takes the catalogue price', async () => {
    const items = [latte(1, { unitPrice: 9_000 }), latte(1, { unitPrice: 8_000 }), latte(1)]
    const bill = await cooking(items, ['READY', 'PREPARING', 'SERVED'])
    const after = await edit(bill.id, [latte(1), latte(1)])
    expect(linesOf(after, bill)).toEqual([
      ['line 2', 1, 'SERVED', true, 0],
      ['line 0', 1, 'READY', true, 0],
      ['line 1', 0, 'PREPARING', false, 1],
    ])
    expect(after.items.slice(0, 2).map((item: Fields) => item['unitPrice'])).toEqual([15_000, 15_000])
    const priced = await edit(bill.id, [latte(1, { unitPrice: 9_000 })])
    expect(linesOf(priced, after)[0]).toEqual(['new', 1, 'NEW', true, 0])
  })

  test('leaves lines that others name by id alone', async () => {
    const bill = await cooking([latte(1), latte(1)], ['READY'])
    const after = await edit(bill.id, [latte(1), { id: bill.items[0].id }])
    expect(linesOf(after, bill)).toEqual([
      ['line 1', 1, 'NEW', true, 0],
      ['line 0', 1, 'READY', true, 0],
    ])
  })
})

describe('the board follows the bill', () => {
  test('an order type of null takes it off, another one puts it back with its states', async () => {
    const bill = await cooking([latte(1), cake(1)], ['PREPARING'])
    const items = bill.items.map(({ id }: { id: string }) => ({ id }))
    const off = await edit(bill.id, items, { orderType: null })
    expect(off.items.map((item: Fields) => item['kitchenStatus'])).toEqual([null, null])
    expect(await ticketOf(bill.id)).toBeUndefined()
    expect(refusalOf(await acme().post(`/kds/${bill.id}/advance`))).toEqual({ status: 409, code: 'CONFLICT' })
    const less = await edit(bill.id, [{ id: bill.items[1].id }])
    expect(less.items.map((item: Fields) => [item['isActive'], item['cancelledQty']])).toEqual([
      [true, 0],
      [false, 1],
    ])
    const back = await edit(bill.id, [{ id: bill.items[1].id }], { orderType: 'TAKEAWAY' })
    expect(back.items.map((item: Fields) => item['kitchenStatus'])).toEqual(['NEW', 'PREPARING'])
    expect((await ticketOf(bill.id)).orderType).toBe('TAKEAWAY')
  })

  test('a ticket that waits only for what an edit removes is ready, and says so once', async () => {
    const bill = await cooking([latte(1), cake(1)], ['READY'])
    const ready = async () =>
      (await eventsAbout(acme(), bill.id)).filter(({ type }) => type === 'service.kitchen.ticket_ready.v1')
    expect(await ready()).toEqual([])
    await edit(bill.id, [{ id: bill.items[0].id }])
    expect(await ready()).toEqual([
      { type: 'service.kitchen.ticket_ready.v1', data: { ticket: await ticketOf(bill.id) } },
    ])
    await edit(bill.id, [{ id: bill.items[0].id }], { note: 'still ready' })
    expect(await ready()).toHaveLength(1)
  })

  test('a fully served ticket leaves it, comes back with something new, and leaves when that is cancelled', async () => {
    const bill = await cooking([latte(1)], ['SERVED'])
    expect(await ticketOf(bill.id)).toBeUndefined()
    const { id } = bill.items[0]
    await edit(bill.id, [{ id }, cake(1)])
    expect((await ticketOf(bill.id)).state).toBe('NEW')
    await edit(bill.id, [{ id }])
    expect(await ticketOf(bill.id)).toBeUndefined()
  })

  test('cancelled lines move no stock, cannot be refunded, and a paid ticket keeps cooking', async () => {
    const bill = await cooking([latte(2), cake(1)], ['READY'])
    await edit(bill.id, [{ id: bill.items[0].id, quantity: 1 }, cake(1)])
    const paid = saleOf(await acme().post(`/sales/${bill.id}/payments`, { method: 'CASH', amount: 22_500 }))
    expect(paid.status).toBe('COMPLETED')
    expect((await ticketOf(bill.id)).state).toBe('NEW')
    const { data: moves } = await acme().get(`/inventory/movements?outletId=${shop.outletId}`)
    const own = moves.filter((row: Fields) => row['transactionId'] === bill.id)
    expect(own.map((row: Fields) => [row['variantId'], row['qtyDelta']]).toSorted()).toEqual(
      [
        [shop.latte, -1],
        [shop.cake, -1],
      ].toSorted(),
    )
    const cancelled = paid.items.find((item: Fields) => !item['isActive'])
    const refund = { lines: [{ transactionItemId: cancelled.id, qty: 1 }] }
    expect(refusalOf(await acme().post(`/sales/${bill.id}/refund`, refund))).toEqual({
      status: 422,
      code: 'VALIDATION_ERROR',
      param: 'lines[0].transactionItemId',
    })
    saleOf(await acme().post(`/sales/${bill.id}/void`))
    expect(await ticketOf(bill.id)).toBeUndefined()
  })

  test('a kitchen step and an edit in one moment lose neither', async () => {
    for (let round = 0; round < 6; round += 1) {
      const bill = await cooking([latte(2)], [])
      const { id } = bill.items[0]
      const [stepped, edited] = await Promise.all([
        acme().post(`/kds/items/${id}/advance`),
        acme().patch(`/sales/${bill.id}/items`, { items: [cake(1)] }),
      ])
      expect(edited.status).toBe(200)
      const after = saleOf(await acme().get(`/sales/${bill.id}`))
      const gone = [['new', 1, 'NEW', true, 0]]
      const kept = [...gone, ['line 0', 0, 'PREPARING', false, 2]]
      // Cooked first: what was started is shown as cancelled. Edited first: the kitchen is told it is gone.
      expect([stepped.status, linesOf(after, bill)]).toEqual(
        stepped.status === 200 ? [200, kept] : [404, gone],
      )
    }
  })
})

describe('many items that the kitchen has started', () => {
  test('an edit that would leave more than 500 items on a bill is refused, and the bill stays as it is', async () => {
    const bill = await cooking(
      Array.from({ length: 300 }, () => latte(1)),
      [],
    )
    expect((await acme().post(`/kds/${bill.id}/advance`)).status).toBe(200)
    const before = saleOf(await acme().get(`/sales/${bill.id}`))
    const grown = (count: number) =>
      before.items.map(({ id }: { id: string }, index: number) => ({ id, quantity: index < count ? 2 : 1 }))
    const refused = await acme().patch(`/sales/${bill.id}/items`, { items: grown(201) })
    expect(refusalOf(refused)).toEqual({ status: 422, code: 'VALIDATION_ERROR', param: 'items' })
    expect(refused.error.message).toBe(
      'The bill would have 501 items, and a bill can have at most 500: put the rest on another bill',
    )
    expect(saleOf(await acme().get(`/sales/${bill.id}`))).toEqual(before)
    expect((await edit(bill.id, grown(200))).itemCount).toBe(500)
  })

  test('a bill holds at most 1,000 cancelled items, and what is on it can still be changed', async () => {
    const order = () => Array.from({ length: 500 }, () => latte(1))
    const bill = await cooking(order(), [])
    const replace = async (items: Fields[]) => {
      expect((await acme().post(`/kds/${bill.id}/advance`)).status).toBe(200)
      // A note that no item has: none of the started items is found again.
      return acme().patch(`/sales/${bill.id}/items`, { items })
    }
    const other = (note: string) => order().map((item) => ({ ...item, note }))
    for (const note of ['second', 'third']) saleOf(await replace(other(note)))
    const before = saleOf(await acme().get(`/sales/${bill.id}`))
    expect(before.items).toHaveLength(1_500)
    const refused = await replace(other('fourth'))
    expect(refusalOf(refused)).toEqual({ status: 409, code: 'CONFLICT' })
    expect(refused.error.message).toBe(
      'The bill would have 1500 cancelled items, and a bill can have at most 1000: open another bill for new items',
    )
    const { items } = saleOf(await acme().get(`/sales/${bill.id}`))
    expect(items.filter((item: Fields) => !item['isActive'])).toHaveLength(1_000)
    const kept = items.slice(0, 500).map(({ id }: { id: string }) => ({ id }))
    expect((await edit(bill.id, kept, { note: 'paid later' })).itemCount).toBe(500)
  })

  test('a merge that would leave more than 1,000 cancelled items on a bill is refused', async () => {
    const cancelled = async () => {
      const bill = await cooking(
        Array.from({ length: 500 }, () => latte(1)),
        [],
      )
      expect((await acme().post(`/kds/${bill.id}/advance`)).status).toBe(200)
      return edit(bill.id, [cake(1)])
    }
    const [first, second, third] = [await cancelled(), await cancelled(), await cancelled()]
    const merge = (saleId: string) => acme().post(`/sales/${first.id}/merge`, { saleId })
    expect((await merge(second.id)).status).toBe(200)
    const refused = await merge(third.id)
    expect(refusalOf(refused)).toEqual({ status: 409, code: 'CONFLICT' })
    expect(refused.error.message).toBe(
      'Together they have 1500 cancelled items, and a bill can have at most 1000: settle the bills separately',
    )
    expect((await acme().get(`/sales/${third.id}`)).data.sale.status).toBe('PARKED')
  })
})
