import { afterAll, expect, test } from 'vitest'
import { earnForSale } from '../../src/areas/selling/customers/index.ts'
import { newId } from '../../src/core/ids.ts'
import { inTx } from '../../src/platform/db/open.ts'
import { scopeOf } from '../support/clients.ts'
import { assertLedgerInvariants, expectNoDeadlocks } from '../support/expect.ts'
import { acme, deps, useService } from '../support/service.ts'

useService({ synthetic: true })
expectNoDeadlocks(deps)
afterAll(() => assertLedgerInvariants(deps().db))

const make = async (): Promise<string> => (await acme().post('/customers', { name: 'Budi' })).data.customer.id

test('points redeemed at 50 tills at once are spent once', async () => {
  const id = await make()
  await acme().post(`/customers/${id}/loyalty/adjust`, { points: 10 })
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => acme().post(`/customers/${id}/loyalty/redeem`, { points: 4 })),
  )
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(2)
  expect(answers.filter(({ status }) => status === 422)).toHaveLength(48)
  expect((await acme().get(`/customers/${id}`)).data.customer.pointsBalance).toBe(2)
})

test('sales of one customer at 30 tills at once all count', async () => {
  const id = await make()
  await Promise.all(
    Array.from({ length: 30 }, () =>
      inTx(deps().db, (tx) =>
        earnForSale(tx, scopeOf(acme()), {
          customerId: id,
          saleId: newId('sale'),
          eligible: 20_000,
          total: 22_200,
        }),
      ),
    ),
  )
  const { customer } = (await acme().get(`/customers/${id}`)).data
  expect(customer).toMatchObject({ pointsBalance: 60, visitCount: 30, totalSpent: 666_000 })
})

test('a customer who buys while being deleted is kept or gone, never half', async () => {
  for (let round = 0; round < 10; round += 1) {
    const id = await make()
    const earn = inTx(deps().db, (tx) =>
      earnForSale(tx, scopeOf(acme()), {
        customerId: id,
        saleId: newId('sale'),
        eligible: 20_000,
        total: 20_000,
      }),
    ).then(
      () => true,
      () => false,
    )
    const [earned, gone] = await Promise.all([earn, acme().delete(`/customers/${id}`)])
    expect(gone.status).toBe(200)
    const read = await acme().get(`/customers/${id}`)
    if (earned) expect(read.data.customer).toMatchObject({ isActive: false, pointsBalance: 2 })
    else expect(read.status).toBe(404)
  }
})
