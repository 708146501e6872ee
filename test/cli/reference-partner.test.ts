import { afterAll, beforeAll, expect, test } from 'vitest'
import { cloneDatabase, type TestDatabase } from '../support/db.ts'
import { kasir } from '../support/kasir.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await cloneDatabase()
})
afterAll(() => database.drop())

test('kasir reference-partner payment says where it is, serves, and ends in good order when it is asked to', async () => {
  const { code, out, err } = await kasir(
    ['reference-partner', 'payment', '--port', '0'],
    {
      DATABASE_URL: database.url,
      PAYMENT_PARTNER_KEY: 'a-platform-key-of-a-test',
      PAYMENT_PARTNER_WEBHOOK_SECRET: `whsec_${Buffer.alloc(32, 1).toString('base64')}`,
    },
    { after: /is ready at http:\/\/127\.0\.0\.1:\d+\n/, signal: 'SIGTERM' },
  )
  expect([code, err]).toEqual([0, ''])
  expect(out).toContain('Stopping: requests in flight finish first\n')
  expect(out).not.toContain('a-platform-key-of-a-test')
})
