import type pg from 'pg'
import { beforeAll, describe, expect, test } from 'vitest'
import { runText } from '../../src/platform/db/open.ts'
import type { Answer, Api } from '../support/api.ts'
import {
  makeCustomer,
  makeProduct,
  openShift,
  openShop,
  type Shop,
  setNegativeStock,
  stock,
} from '../support/build.ts'
import { memberOf } from '../support/clients.ts'
import { assertStockInvariants, expectNoDeadlocks, refusalOf } from '../support/expect.ts'
import { onOneServer } from '../support/one-server.ts'
import { withClient } from '../support/plans.ts'
import { levelOf, waiting } from '../support/read.ts'
import { acme, alongside, deps, useService, workspace } from '../support/service.ts'
import { beforeStatement, type SentStatement, watching } from '../support/statements.ts'

useService({ env: { DATABASE_POOL_SIZE: '16', SALES_TOGETHER: '1' } })
expectNoDeadlocks(deps)

let shop: Shop
beforeAll(async () => {
  shop = await openShop(acme())
})

const TILLS = 50
const times = <T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)))
const sell = (api: Api, variantIds: readonly string[], fields: object = {}, options: object = {}) =>
  api.post(
    '/sales',
    {
      outletId: shop.outletId,
      items: variantIds.map((variantId) => ({ variantId, quantity: 1 })),
      status: 'COMPLETED',
      ...fields,
    },
    options,
  )
const goods = async (price: number, fields: object = {}) => {
  const { id, variants } = await makeProduct(acme(), { ...fields, variants: [{ price }] })
  const variantId = variants[0].id as string
  // Sold once, so that the service knows it.
  expect((await sell(acme(), [variantId])).status).toBe(201)
  return { id: id as string, variantId }
}
const totals = (answers: readonly Answer[]) => answers.map(({ status, data }) => [status, data?.sale?.total])
const numberOf = ({ data }: Answer) => Number(data.sale.number.split('-')[1])

onOneServer('oneStatement')(
  '50 tills at once share statements: each gets its own sale, numbers have no gap, and every unit is counted',
  async () => {
    const [a, b] = [await goods(1_000), await goods(2_000)]
    await stock(acme(), shop.outletId, a.variantId, 1_000)
    const before = [
      await levelOf(acme(), shop.outletId, a.variantId),
      await levelOf(acme(), shop.outletId, b.variantId),
    ]
    let [alone, together, reads] = [0, 0, 0]
    const answers = await watching(
      ({ name }) => {
        if (name === 'sale_insert') alone += 1
        if (name === 'sales_write') together += 1
        if (name?.startsWith('sale_context')) reads += 1
      },
      () =>
        times(TILLS, (n) =>
          sell(acme(), n % 2 === 0 ? [a.variantId, b.variantId] : [b.variantId, a.variantId], {
            note: `till ${n}`,
          }),
        ),
    )
    expect(totals(answers)).toEqual(answers.map(() => [201, 3_000]))
    expect(answers.map(({ data }) => data.sale.note)).toEqual(answers.map((_, n) => `till ${n}`))
    const numbers = answers.map(numberOf).sort((x, y) => x - y)
    const [first = 0] = numbers
    expect(numbers).toEqual(numbers.map((_, n) => first + n))
    expect(reads).toBe(0)
    expect(together).toBeGreaterThan(0)
    expect(alone + together).toBeLessThan(TILLS)
    const after = [
      await levelOf(acme(), shop.outletId, a.variantId),
      await levelOf(acme(), shop.outletId, b.variantId),
    ]
    expect(after).toEqual(before.map((level) => (level ?? 0) - TILLS))
    await assertStockInvariants(deps().db)
  },
)

const LOCK_LEVELS =
  'select from stock_levels where outlet_id = $1 and variant_id = any($2::text[]) order by variant_id for update nowait'
const LOCK_COUNTER = 'select from outlet_days where outlet_id = $1 for update nowait'

onOneServer('oneStatement')(
  'sales that share a statement lock their stock levels in order of variant, and the receipt counter last',
  async () => {
    const sixGoods = await Promise.all(Array.from({ length: 6 }, () => goods(1_000)))
    const [first = '', ...rest] = sixGoods.map(({ variantId }) => variantId).toSorted()
    const last = rest.at(-1) ?? ''
    const between = rest.slice(0, -1)
    /** Locks the first and last level while 8 sales run. Returns false, without checking, if their first statement was not shared. */
    const checkWaiting = async (holder: pg.Client, observer: pg.Client): Promise<boolean> => {
      let firstSent: SentStatement | undefined
      await holder.query('begin')
      await holder.query(LOCK_LEVELS, [shop.outletId, [first, last]])
      const selling = watching(
        (sent) => {
          if (/^(?:sale_insert|sales_write)$/.test(sent.name ?? '')) firstSent ??= sent
        },
        // The sale of the first level is sent last, so taking locks in order of arrival would fail the checks.
        () => times(8, (n) => sell(acme(), n < 4 ? rest : [first])),
      )
      await expect.poll(waiting).toBeGreaterThan(0)
      const values = JSON.stringify(firstSent?.values ?? [])
      const isShared = firstSent?.name === 'sales_write' && values.includes(first) && values.includes(last)
      try {
        if (isShared) {
          const free = await observer.query(LOCK_LEVELS, [shop.outletId, between])
          expect(free.rowCount).toBe(between.length)
          expect((await observer.query(LOCK_COUNTER, [shop.outletId])).rowCount).toBe(1)
        }
      } finally {
        await holder.query('rollback')
        expect((await selling).map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 201))
      }
      return isShared
    }
    await withClient((holder) =>
      withClient(async (observer) => {
        for (let attempt = 0; attempt < 20; attempt += 1) if (await checkWaiting(holder, observer)) return
        throw new Error('the sales did not share their first statement in 20 attempts')
      }),
    )
  },
)

/** The workspaces whose sales each statement wrote. */
const accountsOf = ({ values }: { values: readonly unknown[] }) =>
  new Set(values.find((value) => Array.isArray(value) && String(value[0]).startsWith('acc_')) as string[])

/** A workspace beside the first, and a sale of it that the service knows. */
async function neighbour() {
  const api = await workspace()
  const { outletId, cake } = await openShop(api)
  const body = { outletId, items: [{ variantId: cake, quantity: 1 }], status: 'COMPLETED' }
  const buy = (fields: object = {}) => api.post('/sales', { ...body, ...fields })
  expect((await buy()).status).toBe(201)
  return { api, outletId, variantId: cake, buy }
}

onOneServer('oneStatement')(
  'sales of several workspaces share statements: each gets its own sale, numbers and stock',
  async () => {
    const { variantId } = await goods(1_000)
    const others = [await neighbour(), await neighbour()]
    const before = await levelOf(acme(), shop.outletId, variantId)
    let shared = 0
    const answers = await watching(
      (sent) => {
        if (sent.name === 'sales_write' && accountsOf(sent).size > 1) shared += 1
      },
      () =>
        times(TILLS, (n) => {
          const other = others[n % 3]
          return other ? other.buy({ note: `till ${n}` }) : sell(acme(), [variantId], { note: `till ${n}` })
        }),
    )
    expect(shared).toBeGreaterThan(0)
    expect(answers.map(({ status, data }) => [status, data.sale?.note])).toEqual(
      answers.map((_, n) => [201, `till ${n}`]),
    )
    for (const turn of [0, 1, 2]) {
      const own = answers.filter((_, n) => n % 3 === turn)
      const numbers = own.map(numberOf).sort((x, y) => x - y)
      expect(numbers).toEqual(numbers.map((_, n) => (numbers[0] ?? 0) + n))
      const api = others[turn]?.api ?? acme()
      const stranger = others[(turn + 1) % 3]?.api ?? acme()
      const [{ data }] = own as [Answer]
      expect((await api.get(`/sales/${data.sale.id}`)).data.sale).toEqual(data.sale)
      expect((await stranger.get(`/sales/${data.sale.id}`)).status).toBe(404)
    }
    expect(await levelOf(acme(), shop.outletId, variantId)).toBe(
      (before ?? 0) - answers.filter((_, n) => n % 3 === 2).length,
    )
    for (const { api, outletId, variantId: cake } of others)
      expect(await levelOf(api, outletId, cake)).toBe(
        -1 - answers.filter((_, n) => others[n % 3]?.api === api).length,
      )
    await assertStockInvariants(deps().db)
  },
)

describe('a sale waits for its own locks only', () => {
  const LOCKS = {
    'its level': 'select from stock_levels where account_id = $1 for update',
    'its counter': 'select from outlet_days where account_id = $1 for update',
    'its goods': 'select from variants where account_id = $1 for update',
    'its shift': 'select from shifts where account_id = $1 for update',
  }
  onOneServer('oneStatement').for(Object.entries(LOCKS))(
    'one that finds %s locked waits by itself, and delays no sale of another workspace',
    async ([, lock]) => {
      const [locked, free] = [await neighbour(), await neighbour()]
      await openShift(locked.api, locked.outletId)
      // Sold once more, so that the service knows the shift.
      expect((await locked.buy()).status).toBe(201)
      await withClient(async (client) => {
        await client.query('begin')
        await client.query(lock, [locked.api.workspace.accountId])
        let isOver = false
        const waiters = times(8, () => locked.buy()).finally(() => {
          isOver = true
        })
        const others = await times(24, () => free.buy())
        expect(others.map(({ status }) => status)).toEqual(others.map(() => 201))
        expect(isOver).toBe(false)
        await client.query('commit')
        expect((await waiters).map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 201))
      })
      await assertStockInvariants(deps().db)
    },
  )
})

test('the shortages of a crowd are told to whoever sold beyond the stock, each with the level that was left', async () => {
  const { variantId } = await goods(1_000)
  await stock(acme(), shop.outletId, variantId, 31)
  const answers = await times(TILLS, () => sell(acme(), [variantId]))
  const warned = answers.flatMap(({ data }) =>
    data.stockWarnings.map(({ level }: { level: number }) => level),
  )
  expect(warned.sort((x, y) => y - x)).toEqual(Array.from({ length: 20 }, (_, n) => -1 - n))
  await assertStockInvariants(deps().db)
})

test('what another process changes is sold as it is now, and a sale that is refused fails none of its crowd', async () => {
  const other = await alongside()
  try {
    const [priced, gone, kept] = [await goods(1_000), await goods(1_000), await goods(1_000)]
    const elsewhere = other.as(acme().workspace.key)
    await elsewhere.patch(`/products/${priced.id}`, { variants: [{ id: priced.variantId, price: 7_000 }] })
    expect((await elsewhere.patch(`/products/${gone.id}`, { isActive: false })).status).toBe(200)
    const answers = await times(TILLS, (n) =>
      sell(acme(), [[priced, gone, kept, kept][n % 4]?.variantId ?? '']),
    )
    expect(totals(answers)).toEqual(
      answers.map(
        (_, n) =>
          [
            [201, 7_000],
            [422, undefined],
            [201, 1_000],
            [201, 1_000],
          ][n % 4],
      ),
    )
    await elsewhere.patch(`/outlets/${shop.outletId}`, { taxRateBps: 1_000, taxInclusive: false })
    expect(totals(await times(10, () => sell(acme(), [kept.variantId])))).toEqual(
      Array.from({ length: 10 }, () => [201, 1_100]),
    )
    await elsewhere.patch(`/outlets/${shop.outletId}`, { taxRateBps: 0 })
    await setNegativeStock(elsewhere, 'BLOCK')
    const blocked = await times(10, () => sell(acme(), [kept.variantId]))
    expect(blocked.map(({ status }) => status)).toEqual(blocked.map(() => 422))
    await setNegativeStock(elsewhere, 'ALLOW')
    const shiftId = await openShift(elsewhere, shop.outletId)
    const booked = await times(10, () => sell(acme(), [kept.variantId]))
    expect(booked.map(({ data }) => data.sale.shiftId)).toEqual(booked.map(() => shiftId))
    expect((await elsewhere.post(`/shifts/${shiftId}/close`, { countedCash: 0 })).status).toBe(200)
    const afterwards = await times(10, () => sell(acme(), [kept.variantId]))
    expect(afterwards.map(({ data }) => data.sale.shiftId)).toEqual(afterwards.map(() => null))
  } finally {
    await other.stop()
  }
})

onOneServer('oneStatement')(
  'a bill of known goods is held in one round trip, with what was paid of it, and takes nothing from stock',
  async () => {
    const { variantId } = await goods(1_000)
    const before = await levelOf(acme(), shop.outletId, variantId)
    const sent: string[] = []
    const held = await watching(
      ({ name, text }) => sent.push(name ?? text),
      () => sell(acme(), [variantId], { status: 'PARKED', payments: [{ method: 'CASH', amount: 400 }] }),
    )
    expect(sent).toEqual(['sale_insert'])
    expect(held.data.sale).toMatchObject({ status: 'PARKED', total: 1_000, paidTotal: 400, remaining: 600 })
    expect(await levelOf(acme(), shop.outletId, variantId)).toBe(before)
    const paid = await acme().post(`/sales/${held.data.sale.id}/payments`, { method: 'CASH', amount: 600 })
    expect(paid.data.sale.status).toBe('COMPLETED')
    expect(await levelOf(acme(), shop.outletId, variantId)).toBe((before ?? 0) - 1)
  },
)

onOneServer('oneStatement')(
  'each payment on a bill of known goods is one round trip, the one that covers it and a settlement too',
  async () => {
    const { variantId } = await goods(1_000)
    const before = await levelOf(acme(), shop.outletId, variantId)
    const bill = async () => (await sell(acme(), [variantId], { status: 'PARKED' })).data.sale.id as string
    const [paid, settled] = [await bill(), await bill()]
    const sent: string[] = []
    // Jobs of the service ask meanwhile as well; a transaction of a payment takes its key by name.
    const isOfPayment = /^(sale|sales|idempotency|shift|stock|products|payments|outbox)_/
    const pay = (path: string, body: object, idempotencyKey: string) =>
      watching(
        ({ name = '' }) => isOfPayment.test(name) && sent.push(name),
        () => acme().post(path, body, { idempotencyKey }),
      )
    const answers = [
      await pay(`/sales/${paid}/payments`, { method: 'CASH', amount: 400 }, 'part'),
      await pay(`/sales/${paid}/payments`, { method: 'CASH', amount: 600, tendered: 1_000 }, 'rest'),
      await pay(`/sales/${settled}/settle`, { payments: [{ method: 'CARD', amount: 1_000 }] }, 'settled'),
      await pay(`/sales/${paid}/payments`, { method: 'CASH', amount: 600, tendered: 1_000 }, 'rest'),
    ]
    expect(sent).toEqual(['sales_write', 'sales_write', 'sales_write', 'sale_to_pay'])
    expect(
      answers.map(({ status, data }) => [
        status,
        data.sale.status,
        data.sale.paidTotal,
        data.sale.changeTotal,
      ]),
    ).toEqual([
      [200, 'PARKED', 400, 0],
      [200, 'COMPLETED', 1_000, 400],
      [200, 'COMPLETED', 1_000, 0],
      [200, 'COMPLETED', 1_000, 400],
    ])
    expect(answers[3]?.data).toEqual(answers[1]?.data)
    expect((await acme().get(`/sales/${paid}`)).data.sale).toEqual(answers[1]?.data.sale)
    expect(await levelOf(acme(), shop.outletId, variantId)).toBe((before ?? 0) - 2)
  },
)

/** Pays a bill while `lock` is held, and lets go once `meanwhile` has happened. */
async function payBehind(
  saleId: string,
  payment: object,
  lock: [text: string, values: unknown[]],
  meanwhile: (client: pg.Client) => Promise<unknown>,
): Promise<Answer> {
  return withClient(async (client) => {
    await client.query('begin')
    await client.query(...lock)
    const paying = acme().post(`/sales/${saleId}/payments`, payment)
    await expect.poll(waiting).toBe(1)
    await meanwhile(client)
    await client.query('commit')
    return paying
  })
}

test('a payment that had to wait is of the bill, the shift and the customer as they are then, and takes the goods once', async () => {
  const { variantId } = await goods(1_000)
  const before = (await levelOf(acme(), shop.outletId, variantId)) ?? 0
  const customerId = await makeCustomer(acme(), { name: 'Ibu Sari' })
  const bill = async (fields: object = {}) =>
    (await sell(acme(), [variantId], { status: 'PARKED', ...fields })).data.sale.id as string
  const rowOf = (id: string): [string, unknown[]] => [
    'select from sales where account_id = $1 and id = $2 for update',
    [acme().workspace.accountId, id],
  ]
  const [edited, named] = [await bill(), await bill({ customerId })]
  const afterEdit = await payBehind(edited, { method: 'CASH', amount: 1_000 }, rowOf(edited), (client) =>
    client.query(
      `update sales set note = 'edited', version = version + 1 where account_id = $1 and id = $2`,
      [acme().workspace.accountId, edited],
    ),
  )
  expect(afterEdit.data.sale).toMatchObject({ status: 'COMPLETED', note: 'edited', version: 3 })
  const afterRename = await payBehind(named, { method: 'CASH', amount: 400 }, rowOf(named), () =>
    acme().patch(`/customers/${customerId}`, { name: 'Ibu Ratna' }),
  )
  expect(afterRename.data.sale).toMatchObject({ paidTotal: 400, customer: { name: 'Ibu Ratna' } })
  const shiftId = await openShift(acme(), shop.outletId)
  const left = await bill()
  const level: [string, unknown[]] = [
    'select from stock_levels where account_id = $1 and outlet_id = $2 and variant_id = $3 for update',
    [acme().workspace.accountId, shop.outletId, variantId],
  ]
  const afterClose = await payBehind(left, { method: 'CASH', amount: 1_000 }, level, async () =>
    expect((await acme().post(`/shifts/${shiftId}/close`, { countedCash: 0 })).status).toBe(200),
  )
  expect(afterClose.data.sale).toMatchObject({
    status: 'COMPLETED',
    shiftId: null,
    payments: [{ amount: 1_000, shiftId: null }],
  })
  expect(await levelOf(acme(), shop.outletId, variantId)).toBe(before - 2)
  await assertStockInvariants(deps().db)
})

onOneServer('oneStatement')(
  'a payment is never booked to a shift that another cashier closed after the bill was read',
  async () => {
    const cashier = (await memberOf(acme(), 'CASHIER')).api
    const { outletId, bag } = await openShop(acme())
    const bill = async () => {
      const shiftId = await openShift(cashier, outletId)
      const items = [{ variantId: bag, quantity: 1 }]
      const { sale } = (await cashier.post('/sales', { outletId, items, status: 'PARKED' })).data
      expect(sale).toMatchObject({ shiftId, total: 500 })
      return {
        shiftId,
        pay: (amount: number) => acme().post(`/sales/${sale.id}/payments`, { method: 'CASH', amount }),
      }
    }
    const close = async (shiftId: string) =>
      expect((await acme().post(`/shifts/${shiftId}/close`, { countedCash: 0 })).status).toBe(200)
    const open = await bill()
    expect((await open.pay(200)).data.sale.payments).toMatchObject([{ amount: 200, shiftId: open.shiftId }])
    await close(open.shiftId)
    for (const [amount, isOnShift] of [
      [200, false],
      [500, false],
      [500, true],
    ] as const) {
      const own = isOnShift ? await openShift(acme(), outletId) : null
      const { shiftId, pay } = await bill()
      const paid = await beforeStatement(
        'sales_write',
        () => close(shiftId),
        () => pay(amount),
      )
      const ending = amount === 200 ? { status: 'PARKED' } : { status: 'COMPLETED', shiftId: own }
      expect(paid.data.sale).toMatchObject({ ...ending, payments: [{ amount, shiftId: own }] })
      expect((await acme().get(`/shifts/${shiftId}`)).data.shift).toMatchObject({
        difference: 0,
        summary: { salesCount: 0, byMethod: [] },
      })
    }
  },
)

onOneServer('oneStatement')(
  'a payment is refused when negative stock was forbidden after the bill was read, and takes nothing',
  async () => {
    const api = await workspace()
    const { outletId, cake } = await openShop(api)
    // The first round has no settings of the workspace yet, the second changes them.
    for (const round of [1, 2]) {
      const items = [{ variantId: cake, quantity: 3 }]
      const { sale } = (await api.post('/sales', { outletId, items, status: 'PARKED' })).data
      const paid = await beforeStatement(
        'sales_write',
        () => setNegativeStock(api, 'BLOCK'),
        () => api.post(`/sales/${sale.id}/payments`, { method: 'CASH', amount: sale.total }),
      )
      expect([round, refusalOf(paid)]).toEqual([
        round,
        { status: 422, code: 'VALIDATION_ERROR', param: 'items[0].quantity' },
      ])
      expect((await api.get(`/sales/${sale.id}`)).data.sale).toMatchObject({ status: 'PARKED', payments: [] })
      expect(await levelOf(api, outletId, cake)).toBeUndefined()
      await setNegativeStock(api, 'ALLOW')
    }
  },
)

test('goods that no stock is kept of are sold as they are now, too: by one till and by a crowd', async () => {
  const other = await alongside()
  try {
    const service = await goods(1_000, { trackStock: false })
    const kept = await goods(1_000)
    const elsewhere = other.as(acme().workspace.key)
    const priced = (price: number) =>
      elsewhere.patch(`/products/${service.id}`, { variants: [{ id: service.variantId, price }] })
    expect((await priced(7_000)).status).toBe(200)
    expect(totals([await sell(acme(), [service.variantId, kept.variantId])])).toEqual([[201, 8_000]])
    expect((await priced(9_000)).status).toBe(200)
    expect(totals(await times(10, () => sell(acme(), [kept.variantId, service.variantId])))).toEqual(
      Array.from({ length: 10 }, () => [201, 10_000]),
    )
    expect((await elsewhere.patch(`/products/${service.id}`, { isActive: false })).status).toBe(200)
    expect((await sell(acme(), [service.variantId])).status).toBe(422)
  } finally {
    await other.stop()
  }
})

test('an endpoint that was added elsewhere hears of the next sale, of known goods too, and of each of a crowd', async () => {
  const other = await alongside()
  try {
    const { variantId } = await goods(1_000)
    const elsewhere = other.as(acme().workspace.key)
    const added = await elsewhere.post('/webhook-subscriptions', {
      url: 'https://hooks.example.com/kasir',
      events: ['service.sale.completed.v1'],
    })
    expect(added.status).toBe(201)
    const sold = [await sell(acme(), [variantId]), ...(await times(10, () => sell(acme(), [variantId])))]
    const { data } = await acme().get('/webhook-subscriptions/deliveries?limit=100')
    const events = await runText<{ ref_id: string }>(
      deps().db,
      'select ref_id from events where account_id = $1 and id = any($2)',
      [acme().workspace.accountId, data.map(({ eventId }: { eventId: string }) => eventId)],
    )
    expect(events.rows.map(({ ref_id }) => ref_id).sort()).toEqual(
      sold.map(({ data }) => data.sale.id).sort(),
    )
    await elsewhere.delete(`/webhook-subscriptions/${added.data.subscription.id}`)
  } finally {
    await other.stop()
  }
})

test('each key of a crowd comes to one sale: its twins get the same answer, another body is refused', async () => {
  const { variantId } = await goods(1_000)
  const before = (await levelOf(acme(), shop.outletId, variantId)) ?? 0
  const answers = await times(TILLS, (n) =>
    sell(acme(), [variantId], n >= 45 ? { note: 'another body' } : {}, {
      idempotencyKey: `crowd-${n % 15}`,
    }),
  )
  const sold = answers.filter(({ status }) => status === 201)
  expect(new Set(sold.map(({ data }) => data.sale.id)).size).toBe(15)
  expect(answers.filter(({ status }) => status === 409).length + sold.length).toBe(TILLS)
  expect(await levelOf(acme(), shop.outletId, variantId)).toBe(before - 15)
})

test('a key that is revoked elsewhere sells nothing more, known goods or not', async () => {
  const { variantId } = await goods(1_000)
  const { key, apiKey } = (await acme().post('/api-keys', { name: 'Till 9' })).data
  const other = await alongside()
  try {
    const till = other.as(key)
    expect((await sell(till, [variantId])).status).toBe(201)
    expect((await sell(till, [variantId])).status).toBe(201)
    expect((await acme().delete(`/api-keys/${apiKey.id}`)).status).toBe(200)
    const answers = await times(10, () => sell(till, [variantId]))
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 401))
  } finally {
    await other.stop()
  }
})

test('three processes sell in one hot outlet without a deadlock: no sale is lost, none is made twice', async () => {
  const [a, b, c] = [await goods(1_000), await goods(2_000), await goods(3_000)]
  const [ids, others] = [[a, b, c].map(({ variantId }) => variantId), [await alongside(), await alongside()]]
  const before = await Promise.all(ids.map((id) => levelOf(acme(), shop.outletId, id)))
  const { key } = acme().workspace
  const tills = [acme(), ...others.map(({ as }) => as(key))]
  const SALES_OF_EACH = 60
  const rounds = await Promise.all(
    tills.map((till, process) =>
      times(SALES_OF_EACH, (n) => {
        // Each takes the goods in another order, under keys that another process is asked again with.
        const turned = [...ids.slice((n + process) % 3), ...ids.slice(0, (n + process) % 3)]
        const idempotencyKey = process === 0 ? `hot-${n}` : `hot-${process}-${n}`
        return sell(till, turned, {}, { idempotencyKey })
      }),
    ),
  )
  const answers = rounds.flat()
  expect(totals(answers)).toEqual(answers.map(() => [201, 6_000]))
  const sales = new Set(answers.map(({ data }) => data.sale.id))
  expect(sales.size).toBe(3 * SALES_OF_EACH)
  const numbers = answers.map(numberOf).sort((x, y) => x - y)
  expect(numbers).toEqual(numbers.map((_, n) => (numbers[0] ?? 0) + n))
  const again = await times(SALES_OF_EACH, (n) => {
    const turned = [...ids.slice(n % 3), ...ids.slice(0, n % 3)]
    return sell(tills[1] as Api, turned, {}, { idempotencyKey: `hot-${n}` })
  })
  expect(again.map(({ data }) => data.sale.id)).toEqual(rounds[0]?.map(({ data }) => data.sale.id))
  const after = await Promise.all(ids.map((id) => levelOf(acme(), shop.outletId, id)))
  expect(after).toEqual(before.map((level) => (level ?? 0) - 3 * SALES_OF_EACH))
  await Promise.all(others.map((other) => other.stop()))
})
