import { expect, test } from 'vitest'
import { reconcile } from '../../../../src/areas/catalogue/products/rules.ts'
import { groupOf, newIndex } from '../../../../src/core/catalogue-file/groups.ts'
import { targetOf } from '../../../../src/core/catalogue-file/match.ts'

test('a row of a catalogue means the product whose variant with its SKU is active, however the two were found', () => {
  const group = groupOf([
    { row: 2, cells: { product: 'Tea', sku: 'TEA-1', price: '5000' }, hasMoreCells: false },
  ])
  const twins = [
    { by: 'sku', value: 'TEA-1', productId: 'prd_old', live: false },
    { by: 'sku', value: 'TEA-1', productId: 'prd_new', live: true },
  ] as const
  expect(targetOf(group, twins, newIndex())).toEqual({ productId: 'prd_new' })
  expect(targetOf(group, twins.toReversed(), newIndex())).toEqual({ productId: 'prd_new' })
})

test('an entry without an id means the active variant with its SKU, not the inactive twin', () => {
  const variant = (id: string, isActive: boolean) => ({
    id,
    isActive,
    name: 'Default',
    sku: 'TEA-1',
    barcode: null,
    otherBarcodes: null,
    packs: null,
    soldBy: 'UNIT' as const,
    price: 5_000,
    cost: 0,
    sortOrder: 0,
  })
  const twins = [variant('var_old', false), variant('var_new', true)]
  for (const known of [twins, twins.toReversed()]) {
    const plan = reconcile(known, [{ sku: 'TEA-1', price: 6_000 }])
    expect([plan.update.map(({ id }) => id), plan.remove, plan.create]).toEqual([
      ['var_new'],
      ['var_old'],
      [],
    ])
  }
})
