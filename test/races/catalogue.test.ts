import { expect, test } from 'vitest'
import { inTx } from '../../src/platform/db/open.ts'
import { makeOutlet, makeProduct, makeTable, makeVariant, sell } from '../support/build.ts'
import { expectNoDeadlocks, saleOf } from '../support/expect.ts'
import { waiting } from '../support/read.ts'
import { acme, deps, useService, workspace } from '../support/service.ts'

// The sale in flight is written by hand: its line belongs to a bill that does not know it.
useService({ synthetic: true })
expectNoDeadlocks(deps)

const tally = (answers: { status: number }[]) =>
  answers.reduce<Record<number, number>>(
    (counts, { status }) => ({ ...counts, [status]: (counts[status] ?? 0) + 1 }),
    {},
  )

test.each(['sku', 'barcode'] as const)(
  '50 creates with one %s make one product and 49 refusals',
  async (field) => {
    const api = await workspace()
    const body = { name: 'Twin', variants: [{ price: 1, [field]: 'ONE' }] }
    const answers = await Promise.all(Array.from({ length: 50 }, () => api.post('/products', body)))
    expect(tally(answers)).toEqual({ 201: 1, 409: 49 })
    for (const { error } of answers.filter((answer) => answer.status === 409)) {
      expect(error.message).toBe(`The ${field === 'sku' ? 'SKU' : 'barcode'} ONE is already used by Twin`)
    }
    expect((await api.get('/products')).data.products).toHaveLength(1)
    expect(await api.events()).toEqual(['service.product.created.v1'])
  },
)

test('of ten inactive twins that are activated at once, one gets the SKU', async () => {
  const api = await workspace()
  const paths: string[] = []
  for (let n = 0; n < 10; n += 1) {
    const product = await makeProduct(api, {
      isActive: n % 2 === 0,
      variants: [{ price: 1, sku: 'ONE', isActive: n % 2 === 1 }],
    })
    paths.push(
      n % 2 === 0 ? `/products/${product.id}/variants/${product.variants[0].id}` : `/products/${product.id}`,
    )
  }
  const answers = await Promise.all(paths.map((path) => api.patch(path, { isActive: true })))
  expect(tally(answers)).toEqual({ 200: 1, 409: 9 })
  const live = await deps()
    .db.selectFrom('variants')
    .select('id')
    .where('accountId', '=', api.workspace.accountId)
    .where('isLive', '=', true)
    .execute()
  expect(live).toHaveLength(1)
})

test('recipes that name each other at once never make a composite of a composite', async () => {
  const path = (product: { id: string; variants: { id: string }[] }) =>
    `/products/${product.id}/variants/${product.variants[0]?.id}/recipe`
  for (let round = 0; round < 5; round += 1) {
    const ring = [await makeProduct(acme()), await makeProduct(acme()), await makeProduct(acme())]
    const answers = await Promise.all(
      ring.map((product, index) =>
        acme().put(path(product), {
          isComposite: true,
          components: [{ componentVariantId: ring[(index + 1) % 3].variants[0].id, quantity: 1 }],
        }),
      ),
    )
    expect(tally(answers)).toEqual({ 200: 1, 422: 2 })
  }
  const nested = await deps()
    .db.selectFrom('recipeComponents as r')
    .innerJoin('variants as v', (join) =>
      join.onRef('v.accountId', '=', 'r.accountId').onRef('v.id', '=', 'r.componentVariantId'),
    )
    .where('v.isComposite', '=', true)
    .select('r.id')
    .execute()
  expect(nested).toEqual([])
})

test('a product sold while it is being deleted stays', async () => {
  const product = await makeProduct(acme())
  const [{ id }] = product.variants
  let resume = () => {}
  const paused = new Promise<void>((resolve) => {
    resume = resolve
  })
  let written = () => {}
  const selling = new Promise<void>((resolve) => {
    written = resolve
  })
  await sell(acme(), (await makeProduct(acme())).variants[0].id)
  // A sale in flight: its line is written, its transaction is not over.
  const sale = inTx(deps().db, async (tx) => {
    const line = await tx
      .selectFrom('saleItems')
      .selectAll()
      .where('accountId', '=', acme().workspace.accountId)
      .executeTakeFirstOrThrow()
    const { modifiers, components, batches, pack, promotions, ...fields } = line
    await tx
      .insertInto('saleItems')
      .values({
        ...fields,
        modifiers: null,
        components: null,
        batches: null,
        pack: null,
        promotions: null,
        id: `${line.id}x`,
        variantId: id,
      })
      .execute()
    written()
    await paused
  })
  await selling
  const deleting = [
    acme().delete(`/products/${product.id}`),
    acme().delete(`/products/${product.id}/variants/${id}`),
  ]
  resume()
  await sale
  const answers = await Promise.all(deleting)
  expect(answers.map((answer) => [answer.status, answer.data.deactivated])).toEqual([
    [200, true],
    [200, true],
  ])
})

test('an item that an edit adds in units is never one of a variant that is sold by weight meanwhile', async () => {
  const api = acme()
  const outletId = await makeOutlet(api)
  const table = await makeTable(api, outletId)
  const product = await makeProduct(api)
  const variantId: string = product.variants[0].id
  const held = [{ variantId: await makeVariant(api), quantity: 1 }]
  const bill = saleOf(await api.post('/sales', { outletId, items: held, status: 'PARKED' }))
  const holder = await deps().pool.connect()
  try {
    await holder.query('begin')
    await holder.query('select 1 from dining_tables where account_id = $1 and id = $2 for update', [
      api.workspace.accountId,
      table.id,
    ])
    // The edit has read the variant and waits for the table to write it on the bill.
    const items = [...held, { variantId, quantity: 2 }]
    const editing = api.patch(`/sales/${bill.id}/items`, { items, tableId: table.id })
    await expect.poll(waiting, { timeout: 10_000 }).toBe(1)
    let hasAnswered = false
    const changing = api
      .patch(`/products/${product.id}/variants/${variantId}`, { soldBy: 'WEIGHT' })
      .finally(() => {
        hasAnswered = true
      })
    await expect.poll(async () => hasAnswered || (await waiting()) === 2, { timeout: 10_000 }).toBe(true)
    await holder.query('rollback')
    const [edited, changed] = await Promise.all([editing, changing])
    expect([saleOf(edited).items[1].soldBy, changed.status], changed.text).toEqual(['UNIT', 409])
  } finally {
    await holder.query('rollback')
    holder.release()
  }
})
