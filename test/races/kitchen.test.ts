import { expect, test } from 'vitest'
import { makeOutlet, makeTable } from '../support/build.ts'
import { expectNoDeadlocks } from '../support/expect.ts'
import { acme, deps, useService } from '../support/service.ts'

useService({ env: { DATABASE_POOL_SIZE: '16' } })
expectNoDeadlocks(deps)

const makeDish = async (): Promise<string> =>
  (await acme().post('/products', { name: 'Sate', trackStock: false, variants: [{ price: 25_000 }] })).data
    .product.variants[0].id

test('of 20 cooks who step one item at once three take it to the table and 17 hear that it is served', async () => {
  const outletId = await makeOutlet(acme())
  const dish = await makeDish()
  const items = [{ variantId: dish, quantity: 1 }]
  for (let round = 0; round < 5; round += 1) {
    const bill = { outletId, orderType: 'DINE_IN', status: 'PARKED', items }
    const { sale } = (await acme().post('/sales', bill)).data
    const path = `/kds/items/${sale.items[0].id}/advance`
    const answers = await Promise.all(Array.from({ length: 20 }, () => acme().post(path)))
    const states = answers.filter(({ status }) => status === 200).map(({ data }) => data.item.status)
    expect(states.toSorted()).toEqual(['PREPARING', 'READY', 'SERVED'])
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(17)
  }
})

test('a table that is served while its bills are merged makes nobody wait in a circle', async () => {
  const outletId = await makeOutlet(acme())
  const dish = await makeDish()
  for (let round = 0; round < 15; round += 1) {
    const { id: tableId } = await makeTable(acme(), outletId, `T${round}`)
    const bills = []
    for (let n = 0; n < 4; n += 1) {
      const body = { outletId, tableId, status: 'PARKED', items: [{ variantId: dish, quantity: 1 }] }
      const { sale } = (await acme().post('/sales', body)).data
      for (const _ of ['PREPARING', 'READY']) await acme().post(`/kds/items/${sale.items[0].id}/advance`)
      bills.push(sale.id)
    }
    const [a, b, c, d] = bills
    const answers = await Promise.all([
      acme().post(`/kds/tables/${tableId}/serve`),
      acme().post(`/sales/${a}/merge`, { saleId: b }),
      acme().post(`/sales/${d}/merge`, { saleId: c }),
      acme().post(`/kds/tables/${tableId}/serve`),
    ])
    expect(answers.map(({ status }) => status).filter((status) => ![200, 409].includes(status))).toEqual([])
    await acme().post(`/kds/tables/${tableId}/serve`)
    const { groups } = (await acme().get(`/kds/ready?outletId=${outletId}`)).data
    expect(groups.filter((group: { tableId: string }) => group.tableId === tableId)).toEqual([])
  }
})
