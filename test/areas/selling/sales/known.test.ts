import { expect, test } from 'vitest'
import { pricingAt } from '../../../../src/areas/selling/pricing/index.ts'
import { recall, recallBill } from '../../../../src/areas/selling/sales/store/known.ts'
import type { Api } from '../../../support/api.ts'
import { openShop } from '../../../support/build.ts'
import { scopeOf } from '../../../support/clients.ts'
import { done } from '../../../support/expect.ts'
import { alongside, deps, useService, workspace } from '../../../support/service.ts'

useService({ env: { SALES_TOGETHER: '1' } })

/** A shop that sells at a process whose cache the test looks into. */
async function openShopAtOneProcess() {
  const api = await workspace()
  done(await api.put('/settings', { openItems: true }))
  const shop = await openShop(api)
  const { deps: process, as, stop } = await alongside()
  return { api, shop, process, till: as(api.workspace.key), stop }
}

type OpenItems = { items: number; modifiers: number }
const park = async (till: Api, outletId: string, { items, modifiers }: OpenItems): Promise<string> => {
  const item = {
    name: 'Bungkus kado',
    unitPrice: 5_000,
    quantity: 1,
    modifiers: Array.from({ length: modifiers }, () => ({ name: 'Pita', price: 100 })),
  }
  const body = { outletId, status: 'PARKED', items: Array.from({ length: items }, () => item) }
  return done(await till.post('/sales', body)).sale.id
}

test('a process keeps an ordinary open bill in memory, and none with hundreds of items or modifiers', async () => {
  const { api, shop, process, till, stop } = await openShopAtOneProcess()
  try {
    const isKept = async (items: OpenItems) => {
      const saleId = await park(till, shop.outletId, items)
      return recallBill(process.db, scopeOf(api), saleId) !== undefined
    }
    expect(await isKept({ items: 20, modifiers: 3 })).toBe(true)
    // Now the process has the facts of the shop, and writes bills together with others.
    expect(await isKept({ items: 20, modifiers: 3 })).toBe(true)
    expect(await isKept({ items: 500, modifiers: 0 })).toBe(false)
    expect(await isKept({ items: 10, modifiers: 50 })).toBe(false)
    expect(await isKept({ items: 500, modifiers: 50 })).toBe(false)
  } finally {
    await stop()
  }
})

test('a bill that its process does not keep in memory is paid', async () => {
  const { shop, till, stop } = await openShopAtOneProcess()
  try {
    const saleId = await park(till, shop.outletId, { items: 60, modifiers: 0 })
    const payment = { method: 'CASH', amount: 300_000 }
    expect(done(await till.post(`/sales/${saleId}/payments`, payment)).sale.status).toBe('COMPLETED')
  } finally {
    await stop()
  }
})

test('a process sells from its cache only while it keeps the price lists of the shop', async () => {
  const { api, shop, process, till, stop } = await openShopAtOneProcess()
  const { outletId, latte } = shop
  const addList = async (to: Api, variantId: string) =>
    done(await to.post('/price-lists', { name: 'Daftar', entries: [{ variantId, price: 12_000 }] }))
  const sell = async () => {
    const body = { outletId, status: 'COMPLETED', items: [{ variantId: latte, quantity: 1 }] }
    return done(await till.post('/sales', body)).sale.total
  }
  const contextInCache = () =>
    recall(process.db, scopeOf(api), { outletId, variantIds: [latte], modifierIds: [] })
  try {
    await addList(api, latte)
    expect(await sell()).toBe(12_000)
    expect(contextInCache()?.pricing.lists).toMatchObject([{ name: 'Daftar' }])
    // The lists of another workspace take the whole memory for price lists.
    const other = await workspace()
    await addList(other, (await openShop(other)).latte)
    const { accountId } = other.workspace
    await deps().pool.query(
      "update price_lists set entries = (select jsonb_agg('{}'::jsonb) from generate_series(1, 250000)) where account_id = $1",
      [accountId],
    )
    await pricingAt(process.db, { accountId }, 'the latest')
    await deps().pool.query('delete from price_lists where account_id = $1', [accountId])
    expect(contextInCache()).toBe(null)
    expect(await sell()).toBe(12_000)
    expect(contextInCache()?.pricing.lists).toMatchObject([{ name: 'Daftar' }])
  } finally {
    await stop()
  }
})
