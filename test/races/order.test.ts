import { setTimeout } from 'node:timers/promises'
import type { PoolClient } from 'pg'
import { beforeAll, expect, test } from 'vitest'
import { endBookings } from '../../src/areas/selling/shifts/service.ts'
import { inTx } from '../../src/platform/db/open.ts'
import type { Answer, Api } from '../support/api.ts'
import { makeCustomer, makeProduct, openShop, type Shop } from '../support/build.ts'
import { scopeOf } from '../support/clients.ts'
import { deadlocks, done, expectNoDeadlocks } from '../support/expect.ts'
import { levelOf, waiting } from '../support/read.ts'
import { acme, deps, useService } from '../support/service.ts'

useService({ env: { DATABASE_POOL_SIZE: '16' } })
expectNoDeadlocks(deps)

let shop: Shop
beforeAll(async () => {
  shop = await openShop(acme())
})

const ROUNDS = 20
const statuses = (answers: readonly Answer[]) => [...new Set(answers.map(({ status }) => status))].sort()
const goods = async (name: string) => {
  const product = await makeProduct(acme(), { name, variants: [{ price: 1_000 }] })
  return { id: product.id as string, variantId: product.variants[0].id as string }
}
const sell = (variantIds: readonly string[], fields: object = {}) =>
  acme().post('/sales', {
    outletId: shop.outletId,
    items: variantIds.map((variantId) => ({ variantId, quantity: 1 })),
    status: 'COMPLETED',
    ...fields,
  })
const movementsOf = async (api: Api, variantId: string): Promise<unknown[]> =>
  (await api.get(`/inventory/movements?variantId=${variantId}`)).data

/** What is done to an article while it is sold, and whether its sales moved stock must agree afterwards. */
const changes: Record<string, (product: { id: string; variantId: string }, part: string) => Promise<Answer>> =
  {
    'a service': ({ id }) => acme().patch(`/products/${id}`, { kind: 'SERVICE' }),
    'a composite': ({ id, variantId }, part) =>
      acme().put(`/products/${id}/variants/${variantId}/recipe`, {
        isComposite: true,
        components: [{ componentVariantId: part, quantity: 1 }],
      }),
  }

test.each(Object.entries(changes))(
  'goods that become %s while they are sold are sold as one or the other, never half',
  async (kind, change) => {
    const part = await goods(`Part of ${kind}`)
    const customerId = await makeCustomer(acme())
    for (let round = 0; round < ROUNDS; round += 1) {
      const product = await goods(`Becomes ${kind} ${round}`)
      // A little later each round, so that the sales meet the change at every step of it.
      const later = async (fields: object = {}) => {
        await setTimeout(round / 2)
        return sell([product.variantId], fields)
      }
      const answers = await Promise.all([
        change(product, part.variantId),
        later(),
        later({ customerId }),
        later(),
      ])
      const [changed] = answers
      expect(statuses(answers.filter((answer) => answer !== changed))).toEqual([201])
      expect([200, 409]).toContain(changed?.status)
      const moved = await movementsOf(acme(), product.variantId)
      expect(moved).toHaveLength(changed?.status === 200 ? 0 : 3)
    }
  },
)

test('a customer erased in the middle of a purchase appears in no event afterwards', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const { customer } = (
      await acme().post('/customers', { name: `Erasable ${round}`, phone: `0812-5550-${1000 + round}` })
    ).data
    const bill = await sell([shop.bag], { customerId: customer.id, status: 'PARKED' })
    await sell([shop.bag], { customerId: customer.id })
    const [erased, ...rest] = await Promise.all([
      acme().delete(`/customers/${customer.id}`),
      sell([shop.bag], { customerId: customer.id }),
      acme().post(`/sales/${bill.data.sale.id}/settle`, { payments: [{ method: 'CASH', amount: 500 }] }),
      sell([shop.bag], { customerId: customer.id, status: 'PARKED' }),
    ])
    expect(erased?.status).toBe(200)
    for (const answer of rest) expect([200, 201, 422], answer.text).toContain(answer.status)
    const { rows } = await deps().pool.query(
      'select id, type from events where account_id = $1 and (body like $2 or body like $3)',
      [acme().workspace.accountId, `%Erasable ${round}"%`, `%5550-${1000 + round}%`],
    )
    expect(rows).toEqual([])
  }
})

const parked = async (fields: object) =>
  (await sell([shop.bag], { status: 'PARKED', ...fields })).data.sale.id as string
const sold = async (fields: object) => (await sell([shop.bag], fields)).data.sale.id as string
const cash = { payments: [{ method: 'CASH', amount: 500 }] }

/** What a till does to sales of one customer: the sales that exist before, and the request. */
const verbs: Record<string, (of: object) => Promise<{ sales: string[]; run: () => Promise<Answer> }>> = {
  'a new sale': async (of) => ({ sales: [], run: () => sell([shop.bag], of) }),
  'a settle': async (of) => {
    const id = await parked(of)
    return { sales: [id], run: () => acme().post(`/sales/${id}/settle`, cash) }
  },
  'a void': async (of) => {
    const id = await sold(of)
    return { sales: [id], run: () => acme().post(`/sales/${id}/void`, {}) }
  },
  'a refund': async (of) => {
    const id = await sold(of)
    return { sales: [id], run: () => acme().post(`/sales/${id}/refund`, { restock: true }) }
  },
  'an edit that names its customer': async (of) => {
    const id = await parked({ items: [{ variantId: shop.latte, quantity: 1 }] })
    const items = [{ variantId: shop.bag, quantity: 1 }]
    return { sales: [id], run: () => acme().patch(`/sales/${id}/items`, { items, ...of }) }
  },
  'a merge into the older bill': async (of) => {
    const [first, second] = [await parked(of), await parked(of)]
    return {
      sales: [first, second],
      run: () => acme().post(`/sales/${first}/merge`, { saleId: second }),
    }
  },
  'a merge into the newer bill': async (of) => {
    const [first, second] = [await parked(of), await parked(of)]
    return {
      sales: [first, second],
      run: () => acme().post(`/sales/${second}/merge`, { saleId: first }),
    }
  },
}

test.each(Object.entries(verbs))(
  '%s has locked its sales and none of its variants when it waits for its customer',
  async (_verb, prepare) => {
    const { accountId } = acme().workspace
    const customerId = await makeCustomer(acme())
    const { sales, run } = await prepare({ customerId })
    const [holder, looker] = [await deps().pool.connect(), await deps().pool.connect()]
    const isFree = (table: 'sales' | 'variants', id: string) =>
      looker
        .query(`select 1 from ${table} where account_id = $1 and id = $2 for update nowait`, [accountId, id])
        .then(
          () => true,
          () => false,
        )
    try {
      await holder.query('begin')
      await holder.query('select 1 from customers where account_id = $1 and id = $2 for update', [
        accountId,
        customerId,
      ])
      const running = run()
      await expect.poll(waiting, { timeout: 10_000 }).toBe(1)
      for (const id of sales) expect(await isFree('sales', id)).toBe(false)
      expect(await isFree('variants', shop.bag)).toBe(true)
      await holder.query('rollback')
      expect([200, 201]).toContain((await running).status)
    } finally {
      await holder.query('rollback')
      holder.release()
      looker.release()
    }
  },
)

test('tills, the drawer, the shelf and the catalogue take their locks in one order', async () => {
  const articles = await Promise.all(['A', 'B', 'C'].map((name) => goods(`Order ${name}`)))
  const variantIds = articles.map(({ variantId }) => variantId)
  const part = await goods('Order part')
  const customerId = await makeCustomer(acme())
  const { shift } = (await acme().post('/shifts/open', { outletId: shop.outletId, openingFloat: 100_000 }))
    .data
  await sell(variantIds)
  const before = await deadlocks(deps())
  for (let round = 0; round < 6; round += 1) {
    const [first] = articles
    const answers = await Promise.all([
      ...Array.from({ length: 8 }, () => sell(variantIds)),
      ...Array.from({ length: 4 }, () => sell(variantIds, { customerId })),
      ...Array.from({ length: 3 }, () =>
        acme().post(`/shifts/${shift.id}/cash-movements`, { type: 'PAID_OUT', amount: 1 }),
      ),
      ...variantIds.map((variantId) =>
        acme().post('/inventory/adjust', { outletId: shop.outletId, variantId, qtyDelta: 5 }),
      ),
      acme().patch(`/products/${first?.id}`, { name: `Order A ${round}`, kind: 'SERVICE' }),
      changes['a composite']?.(articles[1] ?? part, part.variantId) ?? sell([]),
      acme().patch(`/products/${articles[2]?.id}`, { variants: [{ name: `New ${round}`, price: 1 }] }),
    ])
    expect(Math.max(...answers.map(({ status }) => status))).toBeLessThan(500)
  }
  expect(await deadlocks(deps())).toBe(before)
})

test('a plain sale that waits for a stock level does not hold the receipt counter, which every till needs', async () => {
  const { accountId } = acme().workspace
  const { outletId, latte } = await openShop(acme())
  const buy = () =>
    acme().post('/sales', { outletId, items: [{ variantId: latte, quantity: 1 }], status: 'COMPLETED' })
  done(await buy())
  const [holder, observer] = [await deps().pool.connect(), await deps().pool.connect()]
  const lockOne = (client: PoolClient, table: 'stock_levels' | 'outlet_days') =>
    client.query(`select 1 from ${table} where account_id = $1 and outlet_id = $2 for update nowait`, [
      accountId,
      outletId,
    ])
  try {
    await holder.query('begin')
    await lockOne(holder, 'stock_levels')
    const buying = buy()
    await expect.poll(waiting).toBe(1)
    expect((await lockOne(observer, 'outlet_days')).rowCount).toBe(1)
    await holder.query('rollback')
    done(await buying)
  } finally {
    await holder.query('rollback')
    holder.release()
    observer.release()
  }
})

test('a plain sale that waits for a close belongs to no shift, and takes its goods once', async () => {
  const { outletId, latte } = await openShop(acme())
  const { shift } = (await acme().post('/shifts/open', { outletId, openingFloat: 0 })).data
  let sale: Promise<Answer> | undefined
  await inTx(deps().db, async (tx) => {
    await endBookings(tx, scopeOf(acme()), { id: shift.id, input: { countedCash: 0 }, idem: null })
    sale = acme().post('/sales', {
      outletId,
      items: [{ variantId: latte, quantity: 2 }],
      status: 'COMPLETED',
    })
    await expect.poll(waiting).toBeGreaterThan(0)
  })
  const answer = await sale
  expect([answer?.status, answer?.data.sale.shiftId], answer?.text).toEqual([201, null])
  expect((await acme().post(`/shifts/${shift.id}/close`, { countedCash: 0 })).status).toBe(200)
  expect(await movementsOf(acme(), latte)).toHaveLength(1)
  expect(await levelOf(acme(), outletId, latte)).toBe(-2)
})
