import { afterEach, expect, test } from 'vitest'
import { lockStock, moveStock, type StockMove } from '../../../../src/areas/stock/inventory/index.ts'
import { inTx } from '../../../../src/platform/db/open.ts'
import { makeOutlet, makeVariant } from '../../../support/build.ts'
import { scopeOf } from '../../../support/clients.ts'
import { assertStockInvariants } from '../../../support/expect.ts'
import { eventsOf } from '../../../support/read.ts'
import { acme, deps, useService } from '../../../support/service.ts'

useService()
afterEach(() => assertStockInvariants(deps().db))

const move = (moves: StockMove[]) => inTx(deps().db, (tx) => moveStock(tx, scopeOf(acme()), moves))
const setReorder = (outletId: string, variantId: string, reorderPoint: number) =>
  deps()
    .db.updateTable('stockLevels')
    .set({ reorderPoint })
    .where('accountId', '=', acme().workspace.accountId)
    .where('outletId', '=', outletId)
    .where('variantId', '=', variantId)
    .execute()

test('lockStock answers a level for every variant asked for, creating the missing ones at 0', async () => {
  const outletId = await makeOutlet(acme())
  const [a, b] = [await makeVariant(acme()), await makeVariant(acme())]
  await move([{ outletId, variantId: a, type: 'ADJUSTMENT', qtyDelta: 7 }])
  const { levels, batches } = await inTx(deps().db, (tx) =>
    lockStock(tx, scopeOf(acme()), outletId, [b, a, b]),
  )
  expect([...levels.keys()].sort()).toEqual([a, b].sort())
  expect(levels.get(a)).toMatchObject({ quantity: 7, reorderPoint: null })
  expect(levels.get(b)?.quantity).toBe(0)
  expect(levels.get(b)?.id).toMatch(/^lvl_/)
  expect(batches.size).toBe(0)
})

test('moveStock writes balances in the order given and answers each level once, before and after', async () => {
  const outletId = await makeOutlet(acme())
  const [a, b] = [await makeVariant(acme()), await makeVariant(acme())]
  const changes = await move([
    { outletId, variantId: b, type: 'ADJUSTMENT', qtyDelta: 5 },
    { outletId, variantId: a, type: 'PURCHASE', qtyDelta: 10 },
    { outletId, variantId: a, type: 'SALE', qtyDelta: -4 },
    { outletId, variantId: a, type: 'SALE', qtyDelta: -3 },
  ])
  expect(changes).toEqual([
    { outletId, variantId: a, before: 0, after: 3 },
    { outletId, variantId: b, before: 0, after: 5 },
  ])
  const ledger = await deps()
    .db.selectFrom('stockMovements')
    .select(['variantId', 'qtyDelta', 'balanceAfter'])
    .where('outletId', '=', outletId)
    .orderBy('id')
    .execute()
  expect(ledger).toEqual([
    { variantId: b, qtyDelta: 5, balanceAfter: 5 },
    { variantId: a, qtyDelta: 10, balanceAfter: 10 },
    { variantId: a, qtyDelta: -4, balanceAfter: 6 },
    { variantId: a, qtyDelta: -3, balanceAfter: 3 },
  ])
})

test('one event announces each crossing of a reorder point, and none announces staying below it', async () => {
  const outletId = await makeOutlet(acme())
  const variantId = await makeVariant(acme(), { name: 'Beans' })
  await move([{ outletId, variantId, type: 'ADJUSTMENT', qtyDelta: 10 }])
  await setReorder(outletId, variantId, 5)
  for (const qtyDelta of [-4, -1, -1, -7, 3, 4, -1, 1]) {
    await move([{ outletId, variantId, type: 'ADJUSTMENT', qtyDelta }])
  }
  const told = await eventsOf(acme(), 'service.stock.low.v1')
  expect(told.map((data) => (data['level'] as { quantity: number }).quantity)).toEqual([5])
  await move([{ outletId, variantId, type: 'ADJUSTMENT', qtyDelta: 6 }])
  await move([{ outletId, variantId, type: 'SALE', qtyDelta: -10 }])
  const again = await eventsOf(acme(), 'service.stock.low.v1')
  expect(again.map((data) => data['level'])).toMatchObject([
    { quantity: 5 },
    { variantId, outletId, productName: 'Beans', quantity: 0, reorderPoint: 5, isLow: true },
  ])
})
