import { expect, test } from 'vitest'
import { makeOutlet, makeSale, openShop } from '../support/build.ts'
import { done } from '../support/expect.ts'
import { fillTable } from '../support/fill.ts'
import { allPlans, withClient } from '../support/plans.ts'
import { acme, useService } from '../support/service.ts'

useService({ synthetic: true })

const CORRECTED = `jsonb_build_array(jsonb_build_object('from', 'CASH', 'to', 'CARD', 'completed', true, 'rounding', 0))`

async function correctedPayments(count: number) {
  const columns = ['id', 'sale_id', 'corrections']
  await withClient(async (client) => {
    const { rows } = await client.query<{ name: string }>(
      `select column_name as name from information_schema.columns
        where table_schema = 'public' and table_name = 'payments' and is_generated = 'NEVER'`,
    )
    const others = rows.map(({ name }) => name).filter((name) => !columns.includes(name))
    await fillTable(
      client,
      'payments',
      `insert into payments (id, sale_id, corrections, ${others.join()})
        select 'pay_6' || lpad(n::text, 25, '0'), 'txn_6' || lpad(n::text, 25, '0'), ${CORRECTED}, ${others.map((name) => `r.${name}`).join()}
        from (select * from payments where account_id = $1 limit 1) r, generate_series(1, ${count}) n`,
      [acme().workspace.accountId],
    )
  })
}

test('the summary of many outlets reads no more pages after ten thousand corrections of other days', async () => {
  const { outletId, latte } = await openShop(acme())
  for (let n = 1; n < 20; n += 1) await makeOutlet(acme(), { name: `Outlet ${n}` })
  await makeSale(acme(), { outletId, items: [{ variantId: latte, quantity: 1 }] })
  const mostPages = async () => {
    const plans = await allPlans(/report_figures/, async () => done(await acme().get('/reports/summary')))
    return Math.max(...plans.map(({ buffers }) => buffers))
  }
  const before = await mostPages()
  await correctedPayments(10_000)
  expect(await mostPages()).toBeLessThan(before + 50)
}, 120_000)
