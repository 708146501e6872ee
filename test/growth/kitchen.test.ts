import { beforeAll, expect, test } from 'vitest'
import { makeOutlet } from '../support/build.ts'
import { fillSales } from '../support/fill.ts'
import { longRunPlans, withClient } from '../support/plans.ts'
import { acme, useService } from '../support/service.ts'

useService({ synthetic: true })

const FEW = 500
let outletId = ''

// A café that gives every sale an order type and has no kitchen screen: nothing was ever served, in a year.
beforeAll(async () => {
  outletId = await makeOutlet(acme())
  await withClient((client) =>
    fillSales(client, acme(), {
      outletId,
      count: 200_000,
      orderType: `'TAKEAWAY'`,
      kitchenOpen: 'true',
      at: `now() - (200001 - n) * interval '30 minutes'`,
    }),
  )
}, 120_000)

test('a board among 200,000 tickets that nobody served reads those of the last day', async () => {
  const { data } = await acme().get(`/kds/counts?outletId=${outletId}`)
  expect(data).toEqual({ active: 47, ready: 0 })
  expect((await acme().get('/kds/counts')).data).toEqual({ active: 47, ready: 0 })
  for (const path of [
    `/kds?outletId=${outletId}`,
    '/kds',
    `/kds/counts?outletId=${outletId}`,
    '/kds/counts',
  ]) {
    const [plan] = await longRunPlans(/from sales/, () => acme().get(path))
    expect([path, (plan?.buffers ?? FEW) < FEW], plan?.text).toEqual([path, true])
  }
})
