import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { manualClock } from '../../src/platform/clock.ts'
import type { Api } from '../support/api.ts'
import { makeCategory, makeCustomer, makeOutlet, makeProduct } from '../support/build.ts'
import { assertInvariants, done, refusalOf, saleOf } from '../support/expect.ts'
import { deps, useService, workspace } from '../support/service.ts'

// Monday 15:30 in Jakarta.
useService({ clock: manualClock('2026-11-23T08:30:00.000Z') })

type Fields = Record<string, unknown>
type Example = {
  promotions: Fields[]
  sale: { customer?: string; voucherCodes?: string[]; items: { goods: string; quantity: number }[] }
  gives: { promotions: [string, number][]; shares: number[]; total: number }
}

const text = readFileSync(new URL('../../docs/promotions.md', import.meta.url), 'utf8')
const examples = text
  .split(/^## /m)
  .slice(1)
  .map((section): [string, Example] => {
    const json = /```json\n(.*?)```/s.exec(section)?.[1] ?? ''
    return [section.slice(0, section.indexOf('\n')), JSON.parse(json)]
  })

/** The shop of docs/promotions.md: ids by name. */
async function openCafe(api: Api): Promise<Map<string, string>> {
  const ids = new Map<string, string>()
  const shop = {
    coffee: { latte: 18_000, americano: 15_000 },
    bakery: { croissant: 22_000, cookie: 8_000 },
  }
  for (const [category, goods] of Object.entries(shop)) {
    const categoryId = await makeCategory(api, { name: category })
    ids.set(category, categoryId)
    for (const [name, price] of Object.entries(goods)) {
      const product = await makeProduct(api, { name, categoryId, variants: [{ price }] })
      ids.set(name, product.variants[0].id)
    }
  }
  const group = done(await api.post('/customer-groups', { name: 'member' })).customerGroup.id
  ids.set('member', group)
  ids.set('customer', await makeCustomer(api, { groupIds: [group] }))
  ids.set('outlet', await makeOutlet(api))
  return ids
}

/** The value with ids in place of the names of the shop. */
const withIds = <T>(value: T, ids: ReadonlyMap<string, string>): T =>
  JSON.parse(JSON.stringify(value), (key, inner) =>
    typeof inner === 'string' && key !== 'name' ? (ids.get(inner) ?? inner) : inner,
  )

describe('docs/promotions.md', () => {
  test('has ten examples', () => {
    expect(examples).toHaveLength(10)
  })

  test.each(examples)(
    'the figures of example %s are those of the service',
    async (_, { promotions, sale, gives }) => {
      const api = await workspace('Examples')
      const ids = await openCafe(api)
      for (const promotion of promotions) done(await api.post('/promotions', withIds(promotion, ids)))
      const body = {
        outletId: ids.get('outlet'),
        status: 'COMPLETED',
        ...(sale.customer ? { customerId: ids.get('customer') } : {}),
        ...(sale.voucherCodes ? { voucherCodes: sale.voucherCodes } : {}),
        items: sale.items.map(({ goods, quantity }) => ({ variantId: ids.get(goods), quantity })),
      }
      const made = saleOf(await api.post('/sales', body))
      expect({
        promotions: made.promotions.map(({ name, amount }: { name: string; amount: number }) => [
          name,
          amount,
        ]),
        shares: made.items.map(({ promotionShare }: { promotionShare: number }) => promotionShare),
        total: made.total,
      }).toEqual(gives)
      if (sale.voucherCodes) {
        const param = 'voucherCodes[0]'
        const used = await api.post('/sales', body)
        expect(refusalOf(used)).toEqual({ status: 422, code: 'VALIDATION_ERROR', param })
        done(await api.post(`/sales/${made.id}/void`))
        expect(saleOf(await api.post('/sales', body)).total).toBe(gives.total)
      }
      await assertInvariants(deps().db)
    },
  )
})
