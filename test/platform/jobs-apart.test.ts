import { expect, test } from 'vitest'
import { jobs } from '../../src/jobs.ts'
import { openShop } from '../support/build.ts'
import { deps, useService, workspace } from '../support/service.ts'
import { leaveWork, WORKING, workLeft } from '../support/work.ts'

useService()

/** What a job writes first in a workspace; that of the workspace that is out of order is refused. */
const FIRST_WRITES = {
  'marketing.abandoned-carts': 'cart_reminders',
  'marketing.referrals': 'referral_links',
  'reports.roll-up': 'report_outlets',
}

test('what cannot be done for one workspace holds up none of the others', async () => {
  const apis = [await workspace('Atas'), await workspace('Tengah'), await workspace('Bawah')] as const
  for (const api of apis) await leaveWork(api, await openShop(api))
  const [, broken] = apis
  const stop = new AbortController().signal
  for (const table of Object.values(FIRST_WRITES))
    await deps().pool.query(
      `alter table ${table} add constraint out_of_order check (account_id <> '${broken.workspace.accountId}') not valid`,
    )
  // Some read the log, and a transaction of another file may hold it back for a moment.
  const leftBy = async (others: readonly string[]) => {
    for (const { name, run } of jobs)
      if (others.includes(name))
        await run(deps(), stop).catch((error: Error) => expect(error.message).toContain('out_of_order'))
    return Promise.all(apis.map(workLeft))
  }
  await expect.poll(() => leftBy(WORKING)).toEqual([[], Object.keys(FIRST_WRITES), []])
  for (const table of Object.values(FIRST_WRITES))
    await deps().pool.query(`alter table ${table} drop constraint out_of_order`)
  await expect.poll(() => leftBy(WORKING)).toEqual([[], [], []])
})
