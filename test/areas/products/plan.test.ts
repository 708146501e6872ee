import { expect, test } from 'vitest'
import { CAPS } from '../../../src/core/plans.ts'
import { acme, deps, useService } from '../../support/api.ts'
import { makeProduct } from '../../support/make.ts'

useService({ env: { DEFAULT_TIER: 'free' } })

test('the plan counts active products: creating and activating one too many answers 403', async () => {
  expect(CAPS.free.products).toBe(200)
  const { accountId } = acme().workspace
  const rows = Array.from({ length: 198 }, (_, n) => ({ accountId, id: `prd_${n}`, name: 'Filler' }))
  await deps().db.insertInto('products').values(rows).execute()
  await makeProduct(acme())
  const resting = await makeProduct(acme(), { isActive: false })
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => acme().post('/products', { name: 'Last', variants: [{ price: 1 }] })),
  )
  expect(answers.map((answer) => answer.status).sort()).toEqual([201, ...Array(7).fill(403)])
  const refused = await acme().patch(`/products/${resting.id}`, { isActive: true })
  expect([refused.status, refused.error.code, refused.error.param]).toEqual([
    403,
    'LIMIT_REACHED',
    'products',
  ])
  expect((await makeProduct(acme(), { isActive: false })).isActive).toBe(false)
  expect((await acme().patch(`/products/${resting.id}`, { name: 'Renamed' })).status).toBe(200)
})
