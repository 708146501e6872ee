import type pg from 'pg'
import { beforeAll, expect, test } from 'vitest'
import { encodeCursor } from '../../src/core/cursor.ts'
import { makeOutlet, openShop, stock } from '../support/build.ts'
import { fillTable } from '../support/fill.ts'
import { forgetLooks, look, lookNoMore } from '../support/looks.ts'
import { allPlans, withClient } from '../support/plans.ts'
import { acme, useService } from '../support/service.ts'

useService({ synthetic: true })

const FEW = 300
const LEDGER = ['stock_movements']
let shop: Awaited<ReturnType<typeof openShop>>
let quietId = ''

// 300,000 movements of two things at one outlet, which the planner has seen; at the other outlet one thing moved once, with
// the oldest id of all, and after it looked.
beforeAll(async () => {
  shop = await openShop(acme())
  quietId = await makeOutlet(acme())
  for (const variantId of [shop.latte, shop.cake]) await stock(acme(), shop.outletId, variantId, 5)
  await withClient(async (client) => {
    await lookNoMore(client, LEDGER)
    await fillTable(
      client,
      'stock_movements',
      `insert into stock_movements (account_id, id, outlet_id, variant_id, type, qty_delta, balance_after, actor_id,
          created_at, updated_at)
        select $1, 'stk_7' || lpad(n::text, 25, '0'), $2, case when n % 1000 = 0 then $4 else $3 end, 'SALE', -1, 5,
          'usr_1', now(), now()
        from generate_series(1, 300000) n`,
      [acme().workspace.accountId, shop.outletId, shop.latte, shop.cake],
    )
    await stock(acme(), quietId, shop.cake, 3)
    await client.query(`update stock_movements set id = 'stk_' || repeat('0', 26) where outlet_id = $1`, [
      quietId,
    ])
  })
}, 120_000)

const deep = encodeCursor({
  createdAt: '2026-01-01T00:00:00.000Z',
  id: `stk_7${'1000'.padStart(25, '0')}`,
})

const number = (id: string) => id.replace('stk_7', '').replace(/^0+/, '')

test('a page of the ledger touches few pages of the table, whatever is asked for and whatever the planner has seen', async () => {
  const seen = {
    'all but the quiet outlet': async () => {},
    'nothing yet': (client: pg.Client) => forgetLooks(client, LEDGER),
    'what is there': (client: pg.Client) => look(client, LEDGER),
  }
  for (const [state, make] of Object.entries(seen)) {
    await withClient(make)
    for (const query of [
      '',
      `outletId=${quietId}`,
      `outletId=${shop.outletId}`,
      `outletId=${shop.outletId}&cursor=${deep}`,
      `variantId=${shop.cake}`,
      `variantId=${shop.latte}`,
      `outletId=${quietId}&variantId=${shop.cake}`,
      `outletId=${quietId}&variantId=${shop.latte}`,
      `outletId=${shop.outletId}&variantId=${shop.cake}`,
      `outletId=${shop.outletId}&variantId=${shop.latte}&cursor=${deep}`,
    ]) {
      const plans = await allPlans(/"stock_movements"/, () => acme().get(`/inventory/movements?${query}`))
      expect(plans.length).toBe(2)
      for (const { buffers, text } of plans)
        expect([state, query, buffers < FEW], text).toEqual([state, query, true])
    }
  }
})

test('the ledger of one thing over all outlets is newest first and pages to its end', async () => {
  const first = await acme().get(`/inventory/movements?variantId=${shop.cake}&limit=3`)
  expect(first.data.map(({ id }: { id: string }) => number(id))).toEqual(['300000', '299000', '298000'])
  const seen: string[] = []
  for (let cursor = ''; ; ) {
    const { data, meta } = await acme().get(`/inventory/movements?variantId=${shop.cake}&limit=100${cursor}`)
    seen.push(...data.map(({ id }: { id: string }) => id))
    if (!meta.hasMore) break
    cursor = `&cursor=${meta.cursor}`
  }
  expect([seen.length, new Set(seen).size, [...seen].sort().reverse()]).toEqual([302, 302, seen])
})
