import { expect, test } from 'vitest'
import { skipReceiptNumbers } from '../../../../src/areas/selling/sales/index.ts'
import { makeOutlet } from '../../../support/build.ts'
import { acme, deps, useService } from '../../../support/service.ts'

useService({ synthetic: true })

test('receipt numbers are left out at every outlet, also if the database does not know the time zone of one', async () => {
  const { pool } = deps()
  const { accountId } = acme().workspace
  const [known, unknown] = [await makeOutlet(acme()), await makeOutlet(acme())]
  await pool.query(
    `update outlets set timezone = 'Canada/East-Saskatchewan' where account_id = $1 and id = $2`,
    [accountId, unknown],
  )
  const client = await pool.connect()
  const lost = { takenAt: '2026-03-09T20:00:00.000Z', now: '2026-03-10T16:00:00.000Z', count: 50 }
  await skipReceiptNumbers(client, lost).finally(() => client.release())
  const numbersOf = async (outletId: string) => {
    const { rows } = await pool.query(
      'select day, last_number from outlet_days where account_id = $1 and outlet_id = $2 order by day',
      [accountId, outletId],
    )
    return rows.map(({ day, last_number: number }) => [day, number])
  }
  // The 10th at 03:00 to 23:00 in Jakarta; the 9th at 14:00 to the 10th at 10:00 in Saskatchewan.
  expect(await numbersOf(known)).toEqual([['2026-03-10', 50]])
  expect(await numbersOf(unknown)).toEqual([
    ['2026-03-09', 50],
    ['2026-03-10', 50],
  ])
})
