// What jobs find to do in a workspace.

import type { Api } from './api.ts'
import { enableModule, makeCustomer, openShift, type Shop } from './build.ts'
import { done, saleOf } from './expect.ts'
import { deps } from './service.ts'

const LONG_AGO = '2020-01-01T00:00:00.000Z'

/** Rows of a workspace $1 that say that a job has not done its work there, by the name of the job. */
const LEFT = {
  'marketing.abandoned-carts': `from sales s where s.account_id = $1 and s.status = 'PARKED'
    and not exists (select from cart_reminders r where r.account_id = $1 and r.sale_id = s.id)`,
  'marketing.referrals': `from customers c where c.account_id = $1 and c.name = 'Ani'
    and not exists (select from referral_links l where l.account_id = $1 and l.customer_id = c.id)`,
  'reports.roll-up': `from outlets o where o.account_id = $1
    and not exists (select from report_outlets r where r.account_id = $1 and r.outlet_id = o.id)`,
  'shifts.cut-off-closes': `from shifts where account_id = $1 and status = 'CLOSED' and summary is null`,
  'uploads.unused': 'from uploads where account_id = $1',
}

/** The jobs that `leaveWork` leaves something to. */
export const WORKING = Object.keys(LEFT)

/** One thing to do for each of these jobs. */
export async function leaveWork(api: Api, { outletId, latte }: Shop) {
  const { pool } = deps()
  const { accountId } = api.workspace
  const items = [{ variantId: latte, quantity: 1 }]
  await enableModule(api, 'marketing')
  const program = { rewardType: 'percent', referrerValue: 10, refereeValue: 5, currency: 'IDR' }
  done(await api.put('/account/referrals', { ...program, enabled: true }))
  done(await api.patch('/account/abandoned-cart', { enabled: true }))
  const customerId = await makeCustomer(api, { name: 'Ani', email: 'ani@example.test' })
  saleOf(await api.post('/sales', { outletId, items, customerId, status: 'COMPLETED' }))
  const bill = saleOf(await api.post('/sales', { outletId, items, customerId, status: 'PARKED' }))
  const dayAgo = new Date(deps().clock.ms() - 24 * 3_600_000).toISOString()
  await pool.query('update sales set updated_at = $3 where account_id = $1 and id = $2', [
    accountId,
    bill.id,
    dayAgo,
  ])
  await pool.query(
    `update shifts set status = 'CLOSED', closed_at = $3, closed_by = cashier_id, counted_cash = 0
      where account_id = $1 and id = $2`,
    [accountId, await openShift(api, outletId), LONG_AGO],
  )
  await pool.query(
    `insert into uploads (account_id, id, key, content_type, created_by, created_at)
      values ($1, 'upl_old', 'old', 'image/png', 'key', $2)`,
    [accountId, LONG_AGO],
  )
}

/** Which of these jobs still have something to do in the workspace. */
export async function workLeft(api: Api): Promise<string[]> {
  const left: string[] = []
  for (const [job, rows] of Object.entries(LEFT)) {
    const found = await deps().pool.query(`select ${rows} limit 1`, [api.workspace.accountId])
    if (found.rows.length > 0) left.push(job)
  }
  return left
}
