import { beforeAll, describe, expect, test } from 'vitest'
import type { Answer, Api } from '../support/api.ts'
import { makeProduct, openShift, openShop, type Shop, setNegativeStock, stock } from '../support/build.ts'
import { assertStockInvariants, done, expectNoDeadlocks } from '../support/expect.ts'
import { onOneServer } from '../support/one-server.ts'
import { withClient } from '../support/plans.ts'
import { levelOf } from '../support/read.ts'
import { acme, alongside, deps, useService, workspace } from '../support/service.ts'
import { watching } from '../support/statements.ts'

useService({ env: { DATABASE_POOL_SIZE: '16', SALES_TOGETHER: '1' } })
expectNoDeadlocks(deps)

let shop: Shop
beforeAll(async () => {
  shop = await openShop(acme())
})

const times = <T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)))

type Till = { api: Api; outletId: string; productId: string; variantId: string }
/** A till whose goods, at 1.000 each, the service knows from a first sale. */
async function tillOf(api: Api, outletId: string): Promise<Till> {
  const { id: productId, variants } = await makeProduct(api, { variants: [{ price: 1_000 }] })
  const till = { api, outletId, productId, variantId: variants[0].id as string }
  await bill(till, 1, { status: 'COMPLETED' })
  return till
}
const bill = async ({ api, outletId, variantId }: Till, quantity = 1, fields: object = {}) =>
  done(
    await api.post('/sales', {
      outletId,
      items: [{ variantId, quantity }],
      status: 'PARKED',
      ...fields,
    }),
  ).sale
const pay = (api: Api, id: string, amount: number, options: object = {}) =>
  api.post(`/sales/${id}/payments`, { method: 'CASH', amount }, options)
const saleOf = async (api: Api, id: string) => done(await api.get(`/sales/${id}`)).sale
const statusesOf = (answers: readonly Answer[]) => answers.map(({ status }) => status)

/** The statements about sales that this work sends. */
async function sentBy<T>(work: () => Promise<T>) {
  const sent: string[] = []
  const answer = await watching(({ name = '' }) => /^sales?_/.test(name) && sent.push(name), work)
  return { sent, answer }
}

onOneServer('oneStatement')(
  'payments on bills of several workspaces share statements with new sales, and each is taken once',
  async () => {
    const tills = [
      await tillOf(acme(), shop.outletId),
      ...(await times(2, async () => {
        const api = await workspace()
        return tillOf(api, (await openShop(api)).outletId)
      })),
    ]
    const turn = (n: number) => tills[n % 3] as Till
    const bills = await times(30, (n) => bill(turn(n), 2))
    const before = await times(3, (n) => levelOf(turn(n).api, turn(n).outletId, turn(n).variantId))
    const { sent, answer: parts } = await sentBy(() =>
      Promise.all([
        ...bills.map(({ id }, n) => pay(turn(n).api, id, 500, { idempotencyKey: `part-${n}` })),
        ...bills.map((_, n) => bill(turn(n), 1)),
      ]),
    )
    expect(sent.every((name) => name === 'sales_write' || name === 'sale_insert')).toBe(true)
    expect(sent.length).toBeLessThan(40)
    const paid = parts.slice(0, 30) as Answer[]
    expect(statusesOf(paid)).toEqual(paid.map(() => 200))
    const rest = await times(30, (n) => pay(turn(n).api, bills[n].id, 1_500, { idempotencyKey: `rest-${n}` }))
    for (const [n, { status, data }] of rest.entries()) {
      expect([status, data.sale.id, data.sale.number]).toEqual([200, bills[n].id, bills[n].number])
      expect(data.sale).toMatchObject({ status: 'COMPLETED', paidTotal: 2_000 })
      expect(data.sale.payments.map(({ amount }: { amount: number }) => amount)).toEqual([500, 1_500])
      expect(await saleOf(turn(n).api, bills[n].id)).toEqual(data.sale)
      const again = await pay(turn(n).api, bills[n].id, 1_500, { idempotencyKey: `rest-${n}` })
      expect([again.status, again.data]).toEqual([200, data])
    }
    for (const [n, till] of tills.entries())
      expect(await levelOf(till.api, till.outletId, till.variantId)).toBe((before[n] ?? 0) - 20)
    await assertStockInvariants(deps().db)
  },
)

test('50 payments on one bill at once: as many are taken as the bill needs, and the goods leave once', async () => {
  const till = await tillOf(acme(), shop.outletId)
  await stock(acme(), shop.outletId, till.variantId, 100)
  const before = (await levelOf(acme(), shop.outletId, till.variantId)) ?? 0
  const { id } = await bill(till, 10)
  const answers = await times(50, () =>
    acme().post(`/sales/${id}/payments`, { method: 'CARD', amount: 1_000 }),
  )
  expect(statusesOf(answers).filter((status) => status === 200)).toHaveLength(10)
  expect(new Set(statusesOf(answers))).toEqual(new Set([200, 409]))
  const sale = await saleOf(acme(), id)
  expect(sale).toMatchObject({ status: 'COMPLETED', paidTotal: 10_000 })
  expect(sale.payments).toHaveLength(10)
  expect(await levelOf(acme(), shop.outletId, till.variantId)).toBe(before - 10)
  await assertStockInvariants(deps().db)
})

onOneServer('oneStatement')(
  'a bill with many fields keeps each of them when it is paid in parts by the process that wrote it',
  async () => {
    const api = await workspace()
    const { outletId, bag, cake, latte } = await openShop(api)
    await api.patch(`/outlets/${outletId}`, {
      taxRateBps: 1_100,
      serviceChargeBps: 500,
      serviceChargeOrderTypes: ['DINE_IN'],
      cashRounding: { mode: 'NEAREST', step: 100 },
    })
    const items = [
      { variantId: bag, quantity: 3, note: 'hadiah', discount: 100 },
      { variantId: cake, quantity: 1 },
      { variantId: latte, quantity: 2 },
      { name: 'Jasa bungkus', unitPrice: 1_250, quantity: 1 },
    ]
    const body = { outletId, items, orderType: 'DINE_IN', note: 'meja luar', orderDiscount: 250 }
    for (const _ of [1, 2]) done(await api.post('/sales', { ...body, status: 'COMPLETED' }))
    const { sale } = done(await api.post('/sales', { ...body, status: 'PARKED' }))
    const rows = () =>
      withClient(async (client) => {
        const values = [api.workspace.accountId, sale.id]
        const text = (table: string, id: string) =>
          `select to_jsonb(t) as row from ${table} t where account_id = $1 and ${id} = $2 order by t.id`
        const [sales, lines] = [
          await client.query(text('sales', 'id'), values),
          await client.query(text('sale_items', 'sale_id'), values),
        ]
        return { sale: sales.rows[0].row, items: lines.rows.map(({ row }) => row) }
      })
    const opened = await rows()
    const { sent, answer } = await sentBy(() => pay(api, sale.id, 1_000))
    expect(sent).toEqual(['sales_write'])
    const part = await rows()
    expect(part.items).toEqual(opened.items)
    expect(part.sale).toEqual({
      ...opened.sale,
      paid_total: 1_000,
      version: 2,
      updated_at: part.sale.updated_at,
    })
    expect(await saleOf(api, sale.id)).toEqual(answer.data.sale)
    const rest = done(await pay(api, sale.id, 1_000_000)).sale
    expect(rest.status).toBe('COMPLETED')
    expect(await saleOf(api, sale.id)).toEqual(rest)
    const whole = await rows()
    expect(whole.items.map((item) => ({ ...item, moved_stock: false }))).toEqual(
      opened.items.map((item) => ({ ...item, moved_stock: false })),
    )
    await assertStockInvariants(deps().db)
  },
)

describe('a payment sees what another process has changed since the bill was written', () => {
  type Change = (elsewhere: Api, till: Till, id: string) => Promise<Answer>
  const CHANGES: Record<string, [change: Change, seen: object]> = {
    'its note': [
      (elsewhere, { variantId }, id) =>
        elsewhere.patch(`/sales/${id}/items`, { note: 'diubah', items: [{ variantId, quantity: 2 }] }),
      { note: 'diubah', total: 2_000, paidTotal: 1_000, status: 'PARKED' },
    ],
    'an earlier payment': [
      (elsewhere, _, id) => pay(elsewhere, id, 300),
      { paidTotal: 1_000, changeTotal: 300 },
    ],
    'the name of its outlet': [
      (elsewhere, { outletId }) => elsewhere.patch(`/outlets/${outletId}`, { name: 'Cabang Baru' }),
      { outlet: { name: 'Cabang Baru' }, status: 'COMPLETED' },
    ],
    'the price of its goods, which it keeps': [
      (elsewhere, { productId, variantId }) =>
        elsewhere.patch(`/products/${productId}`, { variants: [{ id: variantId, price: 9_000 }] }),
      { total: 1_000, status: 'COMPLETED' },
    ],
  }
  onOneServer('oneStatement').for(Object.entries(CHANGES))('%s', async ([, [change, seen]]) => {
    const other = await alongside()
    try {
      const api = await workspace()
      const till = await tillOf(api, (await openShop(api)).outletId)
      const { id } = await bill(till)
      const changed = await change(other.as(api.workspace.key), till, id)
      expect(changed.status).toBe(200)
      const paid = await pay(api, id, 1_000, { idempotencyKey: 'after-change' })
      expect([paid.status, paid.data.sale]).toMatchObject([200, seen])
      const again = await pay(api, id, 1_000, { idempotencyKey: 'after-change' })
      expect([again.status, again.data]).toEqual([200, paid.data])
      expect(await saleOf(api, id)).toEqual(paid.data.sale)
      await assertStockInvariants(deps().db)
    } finally {
      await other.stop()
    }
  })

  test('that stock may not go below zero: it is refused, and takes nothing', async () => {
    const other = await alongside()
    try {
      const api = await workspace()
      const till = await tillOf(api, (await openShop(api)).outletId)
      const { id } = await bill(till)
      await setNegativeStock(other.as(api.workspace.key), 'BLOCK')
      expect((await pay(api, id, 1_000)).status).toBe(422)
      expect(await saleOf(api, id)).toMatchObject({ status: 'PARKED', payments: [] })
    } finally {
      await other.stop()
    }
  })

  test('that a shift was opened: the payment is booked to it', async () => {
    const other = await alongside()
    try {
      const api = await workspace()
      const till = await tillOf(api, (await openShop(api)).outletId)
      const { id } = await bill(till)
      const shiftId = await openShift(other.as(api.workspace.key), till.outletId)
      expect((await pay(api, id, 400)).data.sale.payments).toMatchObject([{ amount: 400, shiftId }])
    } finally {
      await other.stop()
    }
  })
})

onOneServer('oneStatement')(
  'a payment on a bill that is locked waits by itself, and delays no payment of its own workspace or another',
  async () => {
    const [till, free] = [
      await tillOf(acme(), shop.outletId),
      await workspace().then(async (api) => tillOf(api, (await openShop(api)).outletId)),
    ]
    const locked = await bill(till)
    const others = await times(12, (n) => bill(n % 2 === 0 ? till : free))
    await withClient(async (client) => {
      await client.query('begin')
      await client.query('select from sales where account_id = $1 and id = $2 for update', [
        acme().workspace.accountId,
        locked.id,
      ])
      let isOver = false
      const waiter = pay(acme(), locked.id, 1_000).finally(() => {
        isOver = true
      })
      const answers = await Promise.all(
        others.map(({ id }, n) => pay(n % 2 === 0 ? acme() : free.api, id, 1_000)),
      )
      expect(statusesOf(answers)).toEqual(answers.map(() => 200))
      expect(isOver).toBe(false)
      await client.query('commit')
      expect((await waiter).status).toBe(200)
    })
    await assertStockInvariants(deps().db)
  },
)
