import { expect, test } from 'vitest'
import { CAPS } from '../../../../src/core/plans.ts'
import { makeProduct } from '../../../support/build.ts'
import { refusalOf } from '../../../support/expect.ts'
import { acme, deps, useService, workspace } from '../../../support/service.ts'

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
  expect(refusalOf(refused)).toEqual({ status: 403, code: 'LIMIT_REACHED', param: 'products' })
  expect((await makeProduct(acme(), { isActive: false })).isActive).toBe(false)
  expect((await acme().patch(`/products/${resting.id}`, { name: 'Renamed' })).status).toBe(200)
})

test('with every place taken, a code in use is still reported before the plan', async () => {
  const api = await workspace()
  const { accountId } = api.workspace
  const rows = Array.from({ length: 199 }, (_, n) => ({ accountId, id: `prd_${n}`, name: 'Filler' }))
  await deps().db.insertInto('products').values(rows).execute()
  const codes = { price: 1, sku: 'S-1', barcode: 'B-1' }
  const resting = await makeProduct(api, { isActive: false, variants: [codes] })
  await makeProduct(api, { variants: [codes] })
  const post = (variant: object, fields: object = {}) =>
    api.post('/products', { name: 'Twin', variants: [{ price: 1, ...variant }], ...fields })
  const answers = [
    await post({ sku: 'S-1' }),
    await post({ barcode: 'B-1' }),
    await post({ sku: 'S-1' }, { kind: 'SERVICE', requiresBatch: true }),
    await api.patch(`/products/${resting.id}`, { isActive: true }),
    await api.patch(`/products/${resting.id}`, { isActive: true, kind: 'SERVICE', requiresBatch: true }),
  ]
  expect(answers.map(refusalOf)).toMatchObject(Array(5).fill({ status: 409, code: 'CONFLICT' }))
  expect((await post({}, { kind: 'SERVICE', requiresBatch: true })).status).toBe(422)
  expect((await post({})).status).toBe(403)
  expect((await post({ sku: 'S-1' }, { isActive: false })).status).toBe(201)
  const freed = await api.patch(`/products/${resting.id}`, {
    isActive: true,
    variants: [{ id: resting.variants[0].id, sku: 'S-2', barcode: null }],
  })
  expect(refusalOf(freed)).toMatchObject({ status: 403, code: 'LIMIT_REACHED' })
})
