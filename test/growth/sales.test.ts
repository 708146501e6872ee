import { beforeAll, describe, expect, test } from 'vitest'
import { makeOutlet } from '../support/build.ts'
import { fillSales } from '../support/fill.ts'
import { longRunPlans, type Plan, withClient } from '../support/plans.ts'
import { acme, useService } from '../support/service.ts'

useService({ synthetic: true })

const SALES = 1_000_000
/** Pages that one page of a list may touch: what a few dozen rows need, and no walk of history. */
const FEW = 300

let outletId = ''
let quietId = ''

// The worst order for a list that runs newest first: all that is open, void or delivered is the oldest of a million.
beforeAll(async () => {
  outletId = await makeOutlet(acme())
  quietId = await makeOutlet(acme(), { name: 'Quiet' })
  await withClient((client) =>
    fillSales(client, acme(), {
      outletId,
      count: SALES,
      status: `case when n <= 30 then 'PARKED' when n <= 60 then 'VOIDED' else 'COMPLETED' end`,
      orderType: `case when n % 30 = 7 and n < 900 then 'DELIVERY' end`,
    }),
  )
}, 120_000)

const list = async (query: string): Promise<Plan> => {
  const [plan] = await longRunPlans(/from sales s where/, async () => {
    const answer = await acme().get(`/sales?${query}`)
    expect(answer.status, answer.text).toBe(200)
  })
  expect(plan).toBeDefined()
  return plan as Plan
}

describe('in a workspace of 1,000,000 sales', () => {
  test('the open bills are found without walking history, of one outlet and of all', async () => {
    const answer = await acme().get(`/sales?status=PARKED&outletId=${outletId}&limit=20`)
    expect(answer.data.map((sale: { number: string }) => sale.number)).toEqual(
      Array.from({ length: 20 }, (_, index) => String(30 - index)),
    )
    for (const query of [
      `status=PARKED&outletId=${outletId}`,
      'status=PARKED',
      `status=PARKED&outletId=${quietId}`,
    ]) {
      const plan = await list(query)
      expect([query, plan.indexes.includes('sales_open'), plan.buffers < FEW], plan.text).toEqual([
        query,
        true,
        true,
      ])
    }
  })

  test('so are the next page of them, the void ones and the deliveries', async () => {
    const { meta } = await acme().get(`/sales?status=PARKED&outletId=${outletId}&limit=20`)
    for (const query of [
      `status=PARKED&outletId=${outletId}&cursor=${meta.cursor}`,
      `status=VOIDED&outletId=${outletId}`,
      'status=VOIDED',
      `orderType=DELIVERY&outletId=${outletId}`,
      'orderType=DELIVERY',
      `orderType=DELIVERY&status=PARKED&outletId=${outletId}`,
    ]) {
      const plan = await list(query)
      expect([query, plan.buffers < FEW], plan.text).toEqual([query, true])
    }
  })

  test('a page deep in history costs what the first one does', async () => {
    const first = await list(`outletId=${outletId}&limit=100`)
    const cursor = Buffer.from(
      JSON.stringify(['2026-01-01T00:00:00.000Z', `txn_${'950000'.padStart(26, '0')}`]),
    ).toString('base64url')
    const deep = await list(`outletId=${outletId}&limit=100&cursor=${cursor}`)
    expect([first.buffers < 700, deep.buffers < 700], `${first.text}\n${deep.text}`).toEqual([true, true])
  })
})
