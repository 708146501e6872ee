import { beforeAll, expect, test } from 'vitest'
import { makeOutlet, openShop, stock } from '../support/build.ts'
import { fillTable } from '../support/fill.ts'
import { longRunPlans, withClient } from '../support/plans.ts'
import { acme, useService } from '../support/service.ts'

useService({ synthetic: true })

const FEW = 300
let shop: Awaited<ReturnType<typeof openShop>>
let quietId = ''

// 300,000 movements of two things at one outlet; at the other outlet one thing moved once, before all of them.
beforeAll(async () => {
  shop = await openShop(acme())
  quietId = await makeOutlet(acme())
  for (const variantId of [shop.latte, shop.cake]) await stock(acme(), shop.outletId, variantId, 5)
  await stock(acme(), quietId, shop.cake, 3)
  await withClient((client) =>
    fillTable(
      client,
      'stock_movements',
      `insert into stock_movements (account_id, id, outlet_id, variant_id, type, qty_delta, balance_after, actor_id,
          created_at, updated_at)
        select $1, 'stk_7' || lpad(n::text, 25, '0'), $2, case when n % 1000 = 0 then $4 else $3 end, 'SALE', -1, 5,
          'usr_1', now(), now()
        from generate_series(1, 300000) n`,
      [acme().workspace.accountId, shop.outletId, shop.latte, shop.cake],
    ),
  )
}, 120_000)

const number = (id: string) => id.replace('stk_7', '').replace(/^0+/, '')

test('a page of the ledger touches few pages of the table, whatever is asked for', async () => {
  for (const query of [
    `outletId=${quietId}`,
    `outletId=${shop.outletId}`,
    `variantId=${shop.cake}`,
    `variantId=${shop.latte}`,
    `outletId=${quietId}&variantId=${shop.cake}`,
    `outletId=${quietId}&variantId=${shop.latte}`,
  ]) {
    const [plan] = await longRunPlans(/"stock_movements"/, () => acme().get(`/inventory/movements?${query}`))
    expect([query, (plan?.buffers ?? FEW) < FEW], plan?.text).toEqual([query, true])
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
