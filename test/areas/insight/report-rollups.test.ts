import { readFile } from 'node:fs/promises'
import { beforeEach, describe, expect, test } from 'vitest'
import { rebuildRollups } from '../../../src/areas/insight/reports/index.ts'
import { rollUp } from '../../../src/areas/insight/reports/roll.ts'
import { addMs } from '../../../src/core/time.ts'
import { manualClock } from '../../../src/platform/clock.ts'
import { inTx } from '../../../src/platform/db/open.ts'
import type { Api } from '../../support/api.ts'
import { makeCustomer, makeOutlet, openShop, type Shop, stock } from '../../support/build.ts'
import { memberOf, scopeOf } from '../../support/clients.ts'
import { done, refusalOf } from '../../support/expect.ts'
import { onOneServer } from '../../support/one-server.ts'
import { waiting } from '../../support/read.ts'
import { insertTender } from '../../support/rows.ts'
import { alongside, deps, globex, useService, workspace } from '../../support/service.ts'

const DAY_MS = 86_400_000
// Noon of the 10th in Jakarta.
const clock = manualClock('2026-03-10T05:00:00.000Z')
useService({ clock })

let api: Api
let shop: Shop
beforeEach(async () => {
  clock.advance(DAY_MS)
  api = await workspace('Kept')
  shop = await openShop(api, { taxRateBps: 1000 })
})

const sell = async (quantity = 1, more: object = {}) =>
  done(
    await api.post('/sales', {
      outletId: shop.outletId,
      items: [{ variantId: shop.latte, quantity }],
      status: 'COMPLETED',
      ...more,
    }),
  ).sale

const figure = async (query = '') => {
  const { salesCount, net, collected, refundCount, voidCount } = done(
    await api.get(`/reports/summary?${query}`),
  )
  return { salesCount, net, collected, refundCount, voidCount }
}
const days = async (count: number) =>
  done(await api.get(`/reports/sales-by-day?days=${count}`)).days.map(
    ({ date, salesCount, net }: { date: string; salesCount: number; net: number }) => [date, salesCount, net],
  )
const differences = async () => (await rebuildRollups(deps(), () => {})).differences
const kept = async () => {
  const { rows } = await deps().pool.query(
    `select coalesce(sum(sales_count), 0)::int as n from report_figures where lens = 'DAY' and account_id = $1`,
    [api.workspace.accountId],
  )
  return rows[0].n
}
/** Rolls up until nothing is left: transactions of other tests on the same server hold the edge of the log back. */
async function rolled() {
  for (let left = true; left; ) {
    await rollUp(deps())
    const { rows } = await deps().pool.query(
      `select count(*) > 0 as left from report_positions p join events e on e.account_id = p.account_id
        and (e.tx, e.id) > (p.tx, p.event_id)`,
    )
    left = rows[0].left
  }
}
const run = (text: string, ...values: unknown[]) =>
  deps().pool.query(text, [api.workspace.accountId, ...values])

describe('what is kept', () => {
  test('counts a sale once, however often and by how many processes it is rolled up while shops sell', async () => {
    const other = await alongside()
    try {
      const rollers = Array.from({ length: 8 }, (_, index) => rollUp(index % 2 === 0 ? deps() : other.deps))
      const sellers = Array.from({ length: 24 }, async (_, index) => {
        const sale = await sell(1 + (index % 3))
        if (index % 4 === 0) done(await api.post(`/sales/${sale.id}/void`))
        if (index % 4 === 1) done(await api.post(`/sales/${sale.id}/refund`, {}))
        await rollUp(index % 2 === 0 ? deps() : other.deps)
        return index
      })
      await Promise.all([...rollers, ...sellers])
      expect(await figure(`to=${clock.now().replace('05:', '06:')}`)).toMatchObject({
        salesCount: 18,
        voidCount: 6,
        refundCount: 6,
      })
      await rolled()
      expect([await kept(), await differences()]).toEqual([18, []])
    } finally {
      await other.stop()
    }
  })

  test('misses no sale that is committed after others which began later', async () => {
    await rolled()
    const late = await sell(2)
    const client = await deps().pool.connect()
    try {
      // The completion is announced by a transaction that begins before the next sale and commits after it.
      const { rows } = await client.query(
        `delete from events where account_id = $1 and ref_id = $2 returning id, type, ref_id, body, created_at`,
        [api.workspace.accountId, late.id],
      )
      await client.query('begin')
      for (const { id, type, ref_id, body, created_at } of rows)
        await client.query(
          'insert into events (account_id, id, type, ref_id, body, created_at) values ($1, $2, $3, $4, $5, $6)',
          [api.workspace.accountId, id, type, ref_id, body, created_at],
        )
      await sell(1)
      await rollUp(deps())
      expect(await kept()).toBe(0)
      await client.query('commit')
      await rolled()
      expect(await kept()).toBe(2)
    } finally {
      client.release()
    }
  })

  test('puts a sale that is written down days later on its own day, and its void takes it away there', async () => {
    await sell(1)
    await rolled()
    const late = await sell(3)
    await run(
      'update sales set completed_at = $3 where account_id = $1 and id = $2',
      late.id,
      addMs(late.completedAt, -3 * 24 * 3_600_000),
    )
    const today = clock.now().slice(0, 10)
    const then = new Date(clock.ms() - 3 * DAY_MS).toISOString().slice(0, 10)
    const told = async () => (await days(5)).filter(([, count]: [string, number]) => count !== 0)
    expect(await told()).toEqual([
      [then, 1, 45_000],
      [today, 1, 15_000],
    ])
    await rolled()
    expect(await told()).toEqual([
      [then, 1, 45_000],
      [today, 1, 15_000],
    ])
    expect(await differences()).toEqual([])
    done(await api.post(`/sales/${late.id}/void`))
    expect(await told()).toEqual([[today, 1, 15_000]])
    await rolled()
    expect([await told(), await differences()]).toEqual([[[today, 1, 15_000]], []])
  })

  test('a refund of an old sale counts on the day of the refund', async () => {
    const sale = await sell(2)
    await rolled()
    clock.advance(2 * DAY_MS)
    done(
      await api.post(`/sales/${sale.id}/refund`, {
        lines: [{ transactionItemId: sale.items[0].id, qty: 1 }],
      }),
    )
    const told = (await days(3)).map(([, count, net]: [string, number, number]) => [count, net])
    expect(told).toEqual([
      [1, 30_000],
      [0, 0],
      [0, -15_000],
    ])
    await rolled()
    expect((await days(3)).map(([, count, net]: [string, number, number]) => [count, net])).toEqual(told)
  })

  test('a refund takes back the cost of what returned to stock, not of goods that became composite since', async () => {
    const make = async (name: string, cost: number) =>
      done(await api.post('/products', { name, variants: [{ price: 10_000, cost }] })).product
    const [jam, toast, bread, cane] = [
      await make('Jam', 300),
      await make('Toast', 0),
      await make('Bread', 50),
      await make('Cane', 7),
    ]
    const cook = async (product: typeof jam, parts: [typeof jam, number][]) =>
      done(
        await api.put(`/products/${product.id}/variants/${product.variants[0].id}/recipe`, {
          isComposite: true,
          components: parts.map(([part, quantity]) => ({
            componentVariantId: part.variants[0].id,
            quantity,
          })),
        }),
      )
    await cook(toast, [
      [jam, 1],
      [bread, 2],
    ])
    for (const [variant, qtyDelta] of [
      [jam, 3],
      [bread, 2],
    ] as const)
      await stock(api, shop.outletId, variant.variants[0].id, qtyDelta)
    const sale = await sell(1, {
      items: [
        { variantId: jam.variants[0].id, quantity: 2 },
        { variantId: toast.variants[0].id, quantity: 1 },
      ],
    })
    await cook(toast, [[bread, 2]])
    await cook(jam, [[cane, 1]])
    const { stockWarnings } = done(await api.post(`/sales/${sale.id}/refund`, { restock: true }))
    expect(stockWarnings).toMatchObject([{ productName: 'Jam', reason: 'NOW_COMPOSITE', requested: 3 }])
    clock.advance(1)
    const costs = async () =>
      done(await api.get('/reports/margin')).products.map(
        ({ name, revenue, cost }: { name: string; revenue: number; cost: number }) => [name, revenue, cost],
      )
    // Of the toast (1 jam and 2 breads, 400) the breads came back; of the jam nothing did.
    const right = [
      ['Toast', 0, 300],
      ['Jam', 0, 600],
    ]
    expect(await costs()).toEqual(right)
    await rolled()
    expect([await costs(), await differences()]).toEqual([right, []])
    // Figures of an earlier version, in which the cost of the jam had come back, are made again by the migration.
    await run(`update report_goods set returned_cost = cost where account_id = $1`)
    await deps().pool.query(await readFile('migrations/0098_cost_of_returns.sql', 'utf8'))
    expect(await costs()).toEqual(right)
    await rolled()
    await rollUp(deps())
    expect([await costs(), await differences()]).toEqual([right, []])
  })

  test('a refund of goods without a cost lowers the revenue without cost, and of no other goods', async () => {
    const sale = await sell(1, {
      items: [
        { variantId: shop.bag, quantity: 3 },
        { variantId: shop.latte, quantity: 2 },
      ],
    })
    const refundOne = async (index: number) =>
      done(
        await api.post(`/sales/${sale.id}/refund`, {
          lines: [{ transactionItemId: sale.items[index].id, qty: 1 }],
        }),
      )
    const uncosted = async () => {
      clock.advance(1)
      const { products, total } = done(await api.get('/reports/margin'))
      return [
        total.revenueWithoutCost,
        ...products.map((row: { name: string; revenue: number; revenueWithoutCost: number }) => [
          row.name,
          row.revenue,
          row.revenueWithoutCost,
        ]),
      ]
    }
    expect(await uncosted()).toEqual([1_500, ['Latte', 30_000, 0], ['Bag', 1_500, 1_500]])
    await refundOne(0)
    await refundOne(1)
    const after = [1_000, ['Latte', 15_000, 0], ['Bag', 1_000, 1_000]]
    expect(await uncosted()).toEqual(after)
    await rolled()
    expect([await uncosted(), await differences()]).toEqual([after, []])
  })

  test('grams are kept apart from units, and a figure that is one gram off is found and made again', async () => {
    const { product } = done(
      await api.post('/products', {
        name: 'Apel',
        variants: [
          { name: 'Kiloan', price: 32_000, cost: 20_000, soldBy: 'WEIGHT' },
          { name: 'Per buah', price: 5_000, cost: 3_000 },
        ],
      }),
    )
    const [apples, apple] = product.variants.map(({ id }: { id: string }) => id)
    const items = [
      { variantId: apples, quantity: 1_250 },
      { variantId: apple, quantity: 3 },
    ]
    const sale = await sell(1, { items })
    const lines = [{ transactionItemId: sale.items[0].id, qty: 250 }]
    done(await api.post(`/sales/${sale.id}/refund`, { lines, restock: true }))
    done(await api.post(`/sales/${(await sell(1, { items })).id}/void`))
    clock.advance(1)
    const apart = async () => {
      const { products, total } = done(await api.get('/reports/margin'))
      return [products, total].map((rows) => [rows].flat().map(({ quantity, grams }) => [quantity, grams]))
    }
    const right = [[[3, 1_000]], [[3, 1_000]]]
    expect(await apart()).toEqual(right)
    await rolled()
    expect([await apart(), await differences()]).toEqual([right, []])
    const wrong = async (column: string) => {
      await run(`update report_goods set ${column} = ${column} + 1 where account_id = $1`)
      return (await differences()).map(({ differences: by }) => by)
    }
    expect(await wrong('grams')).toEqual(['{"grams":1}'])
    expect(await wrong('returned_grams')).toEqual(['{"returned_grams":1}'])
    expect([await apart(), await differences()]).toEqual([right, []])
    // Figures that counted grams as units are made again by the migration.
    await run(`update report_goods set quantity = quantity + grams, grams = 0 where account_id = $1`)
    const migration = await readFile('migrations/0223_report_grams.sql', 'utf8')
    await deps().pool.query(migration.slice(migration.indexOf('update report_outlets')))
    expect(await apart()).toEqual(right)
    await rolled()
    await rollUp(deps())
    expect([await apart(), await differences()]).toEqual([right, []])
  })

  test('money that was not applied to its sale is in no method, and a void takes none of it away', async () => {
    const sale = await sell(1)
    await inTx(deps().db, (tx) =>
      insertTender(tx, scopeOf(api), { ...sale, shiftId: null }, null, {
        method: 'QRIS',
        amount: 16_500,
        applied: false,
      }),
    )
    const other = await sell(2)
    const methods = async () => {
      clock.advance(1)
      const { collected, byMethod } = done(await api.get('/reports/summary'))
      return [collected, byMethod]
    }
    const cash = (count: number, amount: number) => [
      amount,
      [{ method: 'CASH', count, amount, refunds: 0, net: amount }],
    ]
    expect(await methods()).toEqual(cash(2, 49_500))
    await rolled()
    expect(await methods()).toEqual(cash(2, 49_500))
    done(await api.post(`/sales/${sale.id}/void`))
    expect(await methods()).toEqual(cash(1, 33_000))
    await rolled()
    expect([await methods(), await differences()]).toEqual([cash(1, 33_000), []])
    done(await api.post(`/sales/${other.id}/void`))
    expect(await methods()).toEqual([0, []])
  })

  test('an outlet that gets another time zone has had its days all along, before and after they are made anew', async () => {
    clock.set(`${clock.now().slice(0, 10)}T15:30:00.000Z`)
    await sell(1)
    await rolled()
    const today = clock.now().slice(0, 10)
    const next = new Date(clock.ms() + DAY_MS).toISOString().slice(0, 10)
    // Half past ten in the evening in Jakarta, half past midnight in Jayapura.
    expect(await days(1)).toEqual([[today, 1, 15_000]])
    done(await api.patch(`/outlets/${shop.outletId}`, { timezone: 'Asia/Jayapura' }))
    expect(await days(2)).toEqual([
      [today, 0, 0],
      [next, 1, 15_000],
    ])
    await rolled()
    expect(await days(2)).toEqual([
      [today, 0, 0],
      [next, 1, 15_000],
    ])
    expect(await differences()).toEqual([])
  })

  test('erasing a customer changes no figure', async () => {
    const customerId = await makeCustomer(api)
    await sell(2, { customerId })
    await sell(1)
    clock.advance(1)
    const before = await figure()
    done(await api.delete(`/customers/${customerId}`))
    expect(await figure()).toEqual(before)
    await rolled()
    expect([await figure(), await differences()]).toEqual([before, []])
  })

  test('a database that was restored into another cluster starts over, and nothing is lost or counted twice', async () => {
    await sell(1)
    await rolled()
    await sell(2)
    clock.advance(1)
    const right = { salesCount: 2, net: 45_000, collected: 49_500, refundCount: 0, voidCount: 0 }
    // Transactions of a cluster that had run much longer.
    await run(`update report_positions set cluster = '1', tx = '90000000' where account_id = $1`)
    await run(`update events set tx = '80000000' where account_id = $1`)
    expect(await figure()).toEqual(right)
    await rolled()
    expect([await figure(), await kept()]).toEqual([right, 2])
    await sell(1)
    clock.advance(1)
    expect((await figure()).salesCount).toBe(3)
    await rolled()
    expect([await kept(), await differences()]).toEqual([3, []])
  })

  test('after a stop of months, longer than events are kept, figures are read from the sales and made anew', async () => {
    await sell(1)
    await rolled()
    await sell(2)
    await run('delete from events where account_id = $1')
    clock.advance(61 * DAY_MS)
    const from = new Date(clock.ms() - 70 * DAY_MS).toISOString().slice(0, 10)
    expect((await figure(`from=${from}`)).salesCount).toBe(2)
    await rolled()
    expect([(await figure(`from=${from}`)).salesCount, await kept(), await differences()]).toEqual([2, 2, []])
  })

  test('a workspace in which nothing happens keeps a position that is young', async () => {
    await sell(1)
    await rolled()
    for (let week = 0; week < 12; week += 1) {
      clock.advance(7 * DAY_MS)
      await rolled()
    }
    const { rows } = await run('select rolled_at from report_positions where account_id = $1')
    expect(rows[0].rolled_at).toBe(clock.now())
    expect(await kept()).toBe(1)
  })

  test('rebuild-rollups finds a figure that is wrong, says by how much, and makes it right while shops sell', async () => {
    await sell(2)
    await rolled()
    await run(`update report_goods set revenue = revenue + 7 where account_id = $1`)
    await run(`update report_taxes set tax = tax + 3 where account_id = $1`)
    await run(`update report_figures set sales_count = 0 where account_id = $1 and lens = 'DAY'`)
    await run(
      `insert into report_methods (account_id, outlet_id, day, method, count, amount, refunds) values ($1, $2, '2020-01-01', 'CARD', 1, 5, 0)`,
      shop.outletId,
    )
    const today = clock.now().slice(0, 10)
    const [found] = await Promise.all([differences(), sell(1), sell(1)])
    const { product } = {
      product: (await api.get('/products')).data.products.find(
        (one: { name: string }) => one.name === 'Latte',
      ).id,
    }
    expect(found.map(({ key, differences: by }) => [key, by])).toEqual([
      [`${today} DAY `, '{"sales_count":-1}'],
      [`${today} 1000`, '{"tax":3}'],
      [`${today} ${product}`, '{"revenue":7}'],
      ['2020-01-01 CARD', '{"count":1,"amount":5}'],
    ])
    const { rows: looked } = await deps().pool.query<{ name: string }>(
      `select relname as name from pg_stat_user_tables where last_analyze is not null order by 1`,
    )
    expect(looked.map(({ name }) => name)).toEqual([
      'report_figures',
      'report_goods',
      'report_methods',
      'report_taxes',
    ])
    await rolled()
    expect([await differences(), await kept()]).toEqual([[], 3])
  })

  test('rebuild-rollups waits for a process that holds a workspace, and compares its figures afterwards', async () => {
    await sell(2)
    await rolled()
    await run(`update report_goods set revenue = revenue + 7 where account_id = $1`)
    // An earlier day is still to be made.
    await run(`update report_outlets set since = $2 where account_id = $1`, clock.now().slice(0, 10))
    const other = await deps().pool.connect()
    try {
      await other.query('begin')
      await other.query('select from report_positions where account_id = $1 for update', [
        api.workspace.accountId,
      ])
      const comparing = rebuildRollups(deps(), () => {})
      await expect.poll(waiting, { timeout: 60_000 }).toBe(1)
      await other.query('commit')
      const { differences: found, uncompared } = await comparing
      expect([found.map(({ differences: by }) => by), uncompared]).toEqual([['{"revenue":7}'], []])
    } finally {
      other.release()
    }
    expect(await differences()).toEqual([])
  }, 120_000)

  test('rebuild-rollups names an outlet that it cannot compare, and compares the other outlets of its workspace', async () => {
    const second = await makeOutlet(api, { name: 'Kedua' })
    await sell(2)
    await sell(2, { outletId: second })
    await rolled()
    await run(`update report_goods set revenue = revenue + 7 where account_id = $1`)
    // Both tables have the zone, so the outlet is not stale and only its comparison fails.
    const moveTo = async (zone: string) => {
      for (const [table, id] of [
        ['outlets', 'id'],
        ['report_outlets', 'outlet_id'],
      ])
        await run(
          `update ${table} set timezone = $2 where account_id = $1 and ${id} = $3`,
          zone,
          shop.outletId,
        )
    }
    await moveTo('Canada/East-Saskatchewan')
    const { differences: found, uncompared } = await rebuildRollups(deps(), () => {})
    await moveTo('Asia/Jakarta')
    expect([found.map(({ outletId }) => outletId), uncompared]).toEqual([
      [second],
      [
        {
          accountId: api.workspace.accountId,
          outletId: shop.outletId,
          reason: 'time zone "Canada/East-Saskatchewan" not recognized',
        },
      ],
    ])
    expect((await differences()).map(({ outletId }) => outletId)).toEqual([shop.outletId])
  }, 120_000)

  onOneServer('blockedSessions')(
    'rebuild-rollups ends if the connection to the database is lost',
    async () => {
      await rolled()
      const other = await deps().pool.connect()
      try {
        await other.query('begin')
        await other.query('select from report_positions where account_id = $1 for update', [
          api.workspace.accountId,
        ])
        const ended = expect(rebuildRollups(deps(), () => {})).rejects.toThrow(/terminat/)
        await expect.poll(waiting, { timeout: 60_000 }).toBe(1)
        await other.query(
          `select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and pg_backend_pid() = any(pg_blocking_pids(pid))`,
        )
        await ended
      } finally {
        await other.query('rollback')
        other.release()
      }
    },
    120_000,
  )
})

describe('a request for a report', () => {
  test('names the end of the window that is wrong', async () => {
    const refused = async (query: string) => refusalOf(await api.get(`/reports/summary?${query}`))
    const bad = { status: 400, code: 'VALIDATION_ERROR' }
    const unfit = { status: 422, code: 'VALIDATION_ERROR' }
    expect(await refused('from=yesterday')).toEqual({ ...bad, param: 'from' })
    expect(await refused('to=2026-02-30')).toEqual({ ...bad, param: 'to' })
    expect(await refused('from=2026-03-02&to=2026-03-01')).toEqual({ ...unfit, param: 'from' })
    expect(await refused('from=2024-01-01&to=2026-01-01')).toEqual({ ...unfit, param: 'from' })
    expect(await refused('outletId=out_nobody')).toEqual({
      status: 404,
      code: 'NOT_FOUND',
      param: 'outletId',
    })
    expect(refusalOf(await api.get('/reports/sales-by-day?days=366'))).toEqual({ ...bad, param: 'days' })
    expect(refusalOf(await api.get('/reports/top-products?limit=0'))).toEqual({ ...bad, param: 'limit' })
    const upTo = (end: string) => `from=${end}&to=${end}`
    expect(await refused(upTo('9999-12-31T00:00:00Z'))).toEqual({ ...bad, param: 'to' })
    expect((await api.get(`/reports/summary?${upTo('9999-12-29T00:00:00Z')}`)).status).toBe(200)
    const typo = await api.get('/reports/summary?form=2026-01-01')
    expect([typo.status, typo.error.message]).toEqual([400, expect.stringContaining('from')])
  })

  test('a plain date is midnight on the clock of the outlet, and in UTC without one', async () => {
    const told = async (query: string) =>
      done(await api.get(`/reports/summary?from=2026-03-01&to=2026-03-02${query}`)).from
    expect([await told(''), await told(`&outletId=${shop.outletId}`)]).toEqual([
      '2026-03-01T00:00:00.000Z',
      '2026-02-28T17:00:00.000Z',
    ])
  })

  test('the last days end with the latest today among the outlets, whichever outlet was made first', async () => {
    clock.set(`${clock.now().slice(0, 10)}T15:30:00.000Z`)
    const today = clock.now().slice(0, 10)
    const next = new Date(clock.ms() + DAY_MS).toISOString().slice(0, 10)
    // Half past midnight in Jayapura, the evening before in Jakarta and in London.
    const east = await makeOutlet(api, { timezone: 'Asia/Jayapura' })
    const west = await makeOutlet(api, { timezone: 'Europe/London' })
    await sell(1, { outletId: east })
    await sell(2, { outletId: west })
    clock.advance(1)
    const told = async (outletId?: string) =>
      done(
        await api.get(`/reports/sales-by-day?days=2${outletId === undefined ? '' : `&outletId=${outletId}`}`),
      ).days.map(({ date, salesCount, net }: { date: string; salesCount: number; net: number }) => [
        date,
        salesCount,
        net,
      ])
    expect(await told()).toEqual([
      [today, 1, 30_000],
      [next, 1, 15_000],
    ])
    expect((await told(east)).at(-1)).toEqual([next, 1, 15_000])
    expect((await told(west)).at(-1)).toEqual([today, 1, 30_000])
  })

  test('counts nothing of another workspace', async () => {
    await sell(5)
    clock.advance(1)
    expect(done(await globex().get('/reports/summary')).salesCount).toBe(0)
    expect((await globex().get(`/reports/summary?outletId=${shop.outletId}`)).status).toBe(404)
  })

  test('is refused to a cashier', async () => {
    const cashier = (await memberOf(api, 'CASHIER')).api
    expect(refusalOf(await cashier.get('/reports/summary'))).toEqual({ status: 403, code: 'FORBIDDEN' })
  })

  test('in a workspace without outlets and sales answers zeros', async () => {
    const empty = await workspace('Empty')
    const { byMethod, avgTicket, collected } = done(await empty.get('/reports/summary'))
    expect([byMethod, avgTicket, collected]).toEqual([[], 0, 0])
    expect(done(await empty.get('/reports/sales-by-day?days=3')).days).toHaveLength(3)
    expect(done(await empty.get('/reports/margin')).products).toEqual([])
  })

  test('as a table defuses what a spreadsheet would run, and has every product', async () => {
    const { product } = done(
      await api.post('/products', {
        name: '=HYPERLINK("http://evil","click, me")',
        variants: [{ price: 2_000 }],
      }),
    )
    await sell(1, { items: [{ variantId: product.variants[0].id, quantity: 1 }] })
    clock.advance(1)
    const table = await api.get('/reports/margin?format=csv&limit=1')
    expect(table.headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present')
    expect(table.headers.get('content-disposition')).toBe('attachment; filename="margin.csv"')
    const [head, row] = table.text.split('\r\n')
    expect(head?.replace('\uFEFF', '')).toBe(
      'productId,name,quantity,grams,revenue,cost,margin,marginBps,revenueWithoutCost,computedAt',
    )
    expect(row).toContain(`"'=HYPERLINK(""http://evil"",""click, me"")",1,0,2000,0,2000,10000,`)
  })

  test('low stock has what is on sale, tracked and watched, and nothing else', async () => {
    const watch = (variantId: string, reorderPoint: number) =>
      api.put('/inventory/reorder', { outletId: shop.outletId, variantId, reorderPoint })
    done(await watch(shop.latte, 0))
    done(await watch(shop.cake, 5))
    const names = async () =>
      done(await api.get(`/reports/low-stock?outletId=${shop.outletId}`)).levels.map(
        ({ productName }: { productName: string }) => productName,
      )
    expect(await names()).toEqual(['Cake', 'Latte'])
    done(await api.post('/inventory/adjust', { outletId: shop.outletId, variantId: shop.latte, qtyDelta: 1 }))
    expect(await names()).toEqual(['Cake'])
    const cake = done(await api.get('/products')).products.find(
      ({ name }: { name: string }) => name === 'Cake',
    )
    done(await api.patch(`/products/${cake.id}`, { isActive: false }))
    expect(await names()).toEqual([])
  })
})

describe('a list of rows behind a figure', () => {
  test('looks for what no index of history knows only within a time', async () => {
    for (const filter of ['productId=prd_x', 'method=QRIS', 'cashierId=usr_x', 'categoryId=cat_x'])
      expect(refusalOf(await api.get(`/sales?${filter}`))).toEqual({
        status: 422,
        code: 'VALIDATION_ERROR',
        param: 'completedFrom',
      })
    expect(refusalOf(await api.get('/inventory/movements?type=SALE'))).toEqual({
      status: 422,
      code: 'VALIDATION_ERROR',
      param: 'from',
    })
  })

  test('is narrowed by product, category, method and cashier', async () => {
    const card = await sell(1, { payments: [{ method: 'CARD', amount: 16_500 }] })
    const cake = await sell(1, { items: [{ variantId: shop.cake, quantity: 1 }] })
    clock.advance(1)
    const ids = async (filter: string) =>
      (await api.get(`/sales?completedFrom=${clock.now().slice(0, 10)}&${filter}`)).data.map(
        ({ id }: { id: string }) => id,
      )
    const productId = (await api.get(`/sales/${cake.id}`)).data.sale.items[0].productId
    expect(await ids('')).toEqual([cake.id, card.id])
    expect(await ids('method=CARD')).toEqual([card.id])
    expect(await ids(`productId=${productId}`)).toEqual([cake.id])
    expect(await ids('cashierId=usr_nobody')).toEqual([])
    expect(await ids('categoryId=cat_nobody')).toEqual([])
    expect(await ids('outletId=out_nobody')).toEqual([])
  })
})
