import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Api } from '../support/api.ts'
import { makeProduct, openShift, openShop, setNegativeStock, stock } from '../support/build.ts'
import { assertStockInvariants, done, expectNoDeadlocks, refusalOf } from '../support/expect.ts'
import { levelOf } from '../support/read.ts'
import { acme, alongside, deps, useService, workspace } from '../support/service.ts'
import { watching } from '../support/statements.ts'

// Where rows are spread over workers a sale is written in steps (docs/scaling.md). What the process remembers is proved there
// too; plain PostgreSQL takes that form as well.
useService({ env: { DATABASE_POOL_SIZE: '16', DATABASE_SHARDED: 'always' } })
expectNoDeadlocks(deps)

const TWINS = 20

async function open() {
  const { outletId } = await openShop(acme())
  const goods = await makeProduct(acme(), { variants: [{ price: 1_000 }] })
  const variantId = goods.variants[0].id as string
  await stock(acme(), outletId, variantId, 1_000)
  const sell = (api: Api = acme(), fields: object = {}, options: object = {}) =>
    api.post(
      '/sales',
      { outletId, items: [{ variantId, quantity: 1 }], status: 'COMPLETED', ...fields },
      options,
    )
  // Sold once, so that the service knows it.
  done(await sell())
  return { outletId, productId: goods.id as string, variantId, sell }
}

test('known goods are sold without a read before, and without a look at endpoints where nobody follows', async () => {
  const { sell } = await open()
  const ofKnown = ['idempotency_try', 'sale_prove', 'idempotency_keep']
  // A second process tells its statements also inside transactions.
  const other = await alongside()
  try {
    const till = other.as(acme().workspace.key)
    const statementsOf = async () => {
      const sent: (string | undefined)[] = []
      done(
        await watching(
          ({ name }) => sent.push(name),
          () => sell(till, {}, { idempotencyKey: randomUUID() }),
        ),
      )
      return sent.filter((name) => /^(?:sale_context|sale_prove|outbox_queue|idempotency)/.test(name ?? ''))
    }
    // It may still hear of the shop that was just opened, and forget it once more.
    await expect.poll(statementsOf, { timeout: 10_000 }).toEqual(ofKnown)
  } finally {
    await other.stop()
  }
})

test('all levels of a long sale are locked before the counter of receipts, for which every till waits', async () => {
  const { outletId } = await openShop(acme())
  const variants = Array.from({ length: 60 }, (_, n) => ({ name: `V${n}`, price: 1_000 }))
  const goods = await makeProduct(acme(), { variants })
  const items = goods.variants.map(({ id }: { id: string }) => ({ variantId: id, quantity: 1 }))
  const sell = () => acme().post('/sales', { outletId, items, status: 'COMPLETED' })
  done(await sell())
  const other = await alongside()
  try {
    const sent: string[] = []
    const till = other.as(acme().workspace.key)
    done(
      await watching(
        ({ name = '' }) => /^sale_(?:lower_levels|next_number)/.test(name) && sent.push(name),
        () => till.post('/sales', { outletId, items, status: 'COMPLETED' }),
      ),
    )
    expect(sent).toEqual(['sale_lower_levels_50', 'sale_lower_levels_10', 'sale_next_number'])
  } finally {
    await other.stop()
  }
})

test('what another process changes is sold as it is now, in steps as well', async () => {
  const { outletId, productId, variantId, sell } = await open()
  const other = await alongside()
  try {
    const elsewhere = other.as(acme().workspace.key)
    const total = async () => (await sell()).data?.sale?.total
    done(await elsewhere.patch(`/products/${productId}`, { variants: [{ id: variantId, price: 7_000 }] }))
    expect(await total()).toBe(7_000)
    done(await elsewhere.patch(`/outlets/${outletId}`, { taxRateBps: 1_000, taxInclusive: false }))
    expect(await total()).toBe(7_700)
    await setNegativeStock(elsewhere, 'BLOCK')
    expect((await sell(acme(), { items: [{ variantId, quantity: 2_000 }] })).status).toBe(422)
    await setNegativeStock(elsewhere, 'ALLOW')
    const shiftId = await openShift(elsewhere, outletId)
    expect((await sell()).data.sale.shiftId).toBe(shiftId)
    done(await elsewhere.post(`/shifts/${shiftId}/close`, { countedCash: 7_700 }))
    expect((await sell()).data.sale.shiftId).toBe(null)
    done(await elsewhere.patch(`/products/${productId}`, { isActive: false }))
    expect((await sell()).status).toBe(422)
  } finally {
    await other.stop()
  }
})

/** A shop whose facts the service has cached, and a function that sells one open item there. */
async function openShopWithOpenItem() {
  const api = await workspace()
  done(await api.put('/settings', { openItems: true }))
  const { outletId } = await openShop(api)
  const items = [{ name: 'Bungkus kado', unitPrice: 5_000, quantity: 1 }]
  const sellOpenItem = (till: Api = api, options: object = {}) =>
    till.post('/sales', { outletId, items, status: 'COMPLETED' }, options)
  done(await sellOpenItem())
  return { api, outletId, sellOpenItem }
}

/** Changes written directly to the database, after the service has cached the old value. */
const unannouncedChanges: Record<string, { sql: string; refusal: { status: number; code: string } }> = {
  'disabling open items': {
    sql: 'update settings set open_items = false where account_id = $1',
    refusal: { status: 422, code: 'VALIDATION_ERROR' },
  },
  'deactivating the outlet': {
    sql: 'update outlets set is_active = false where account_id = $1',
    refusal: { status: 422, code: 'VALIDATION_ERROR' },
  },
  'revoking the API key': {
    sql: 'update api_keys set revoked_at = now() where account_id = $1',
    refusal: { status: 401, code: 'AUTH_REQUIRED' },
  },
}

test.each(Object.entries(unannouncedChanges))(
  'a sale with only open items is refused after %s, although the service has cached the old value',
  async (_, { sql, refusal }) => {
    const { api, sellOpenItem } = await openShopWithOpenItem()
    await deps().pool.query(sql, [api.workspace.accountId])
    expect(refusalOf(await sellOpenItem())).toMatchObject(refusal)
  },
)

test('a sale with only open items belongs to a shift that another process has just opened', async () => {
  const { api, outletId, sellOpenItem } = await openShopWithOpenItem()
  const other = await alongside()
  try {
    const shiftId = await openShift(other.as(api.workspace.key), outletId)
    expect(done(await sellOpenItem()).sale.shiftId).toBe(shiftId)
  } finally {
    await other.stop()
  }
})

test('repeated requests with one Idempotency-Key create one sale with only open items', async () => {
  const { api, sellOpenItem } = await openShopWithOpenItem()
  const key = { idempotencyKey: randomUUID() }
  const answers = [await sellOpenItem(api, key), await sellOpenItem(api, key)]
  answers.push(...(await Promise.all(Array.from({ length: TWINS }, () => sellOpenItem(api, key)))))
  expect(new Set(answers.map((answer) => done(answer).sale.id)).size).toBe(1)
})

test('a webhook endpoint added by another process receives the next sale with only open items', async () => {
  const { api, sellOpenItem } = await openShopWithOpenItem()
  const other = await alongside()
  try {
    done(
      await other.as(api.workspace.key).post('/webhook-subscriptions', {
        url: 'https://hooks.example.com/kasir',
        events: ['service.sale.completed.v1'],
      }),
    )
    done(await sellOpenItem())
    const { data } = await api.get('/webhook-subscriptions/deliveries?limit=100')
    expect(data.map(({ type }: { type: string }) => type)).toEqual(['service.sale.completed.v1'])
  } finally {
    await other.stop()
  }
})

test('an endpoint that was added elsewhere hears of the next sale of known goods', async () => {
  const { sell } = await open()
  const other = await alongside()
  try {
    const elsewhere = other.as(acme().workspace.key)
    const added = done(
      await elsewhere.post('/webhook-subscriptions', {
        url: 'https://hooks.example.com/kasir',
        events: ['service.sale.completed.v1'],
      }),
    )
    done(await sell())
    const { data } = await acme().get('/webhook-subscriptions/deliveries?limit=100')
    expect(data.map(({ type }: { type: string }) => type)).toEqual(['service.sale.completed.v1'])
    done(await elsewhere.delete(`/webhook-subscriptions/${added.subscription.id}`))
  } finally {
    await other.stop()
  }
})

test('a key that is revoked elsewhere sells no known goods more', async () => {
  const { sell } = await open()
  const { key, apiKey } = done(await acme().post('/api-keys', { name: 'Till 9' }))
  const other = await alongside()
  try {
    const till = other.as(key)
    expect([(await sell(till)).status, (await sell(till)).status]).toEqual([201, 201])
    done(await acme().delete(`/api-keys/${apiKey.id}`))
    expect((await sell(till)).status).toBe(401)
  } finally {
    await other.stop()
  }
})

test('twins of known goods in two processes come to one sale: all get its answer, another body is refused', async () => {
  const { outletId, variantId, sell } = await open()
  const other = await alongside()
  try {
    const tills = [acme(), other.as(acme().workspace.key)]
    const ask = (n: number, fields: object = {}) =>
      sell(tills[n % 2], fields, { idempotencyKey: 'twins-in-steps' })
    const answers = await Promise.all(Array.from({ length: TWINS }, (_, n) => ask(n)))
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201))
    expect(new Set(answers.map(({ data }) => data.sale.id)).size).toBe(1)
    expect((await ask(0, { note: 'another body' })).status).toBe(409)
    expect(await levelOf(acme(), outletId, variantId)).toBe(1_000 - 2)
  } finally {
    await other.stop()
  }
  await assertStockInvariants(deps().db)
})
