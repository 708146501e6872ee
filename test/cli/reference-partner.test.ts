import { afterAll, beforeAll, expect, test } from 'vitest'
import { cloneDatabase, type TestDatabase } from '../support/db.ts'
import { kasir } from '../support/kasir.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await cloneDatabase()
})
afterAll(() => database.drop())

test.each(['payment', 'fulfillment', 'marketing'])(
  'kasir reference-partner %s says where it is, serves, and ends in good order when it is asked to',
  async (name) => {
    const settings = `${name.toUpperCase()}_PARTNER`
    const { code, out, err } = await kasir(
      ['reference-partner', name, '--port', '0'],
      {
        DATABASE_URL: database.url,
        [`${settings}_KEY`]: 'a-platform-key-of-a-test',
        [`${settings}_WEBHOOK_SECRET`]: `whsec_${Buffer.alloc(32, 1).toString('base64')}`,
      },
      { after: /is ready at http:\/\/127\.0\.0\.1:\d+\n/, signal: 'SIGTERM' },
    )
    expect([code, err]).toEqual([0, ''])
    expect(out).toContain('Stopping: requests in flight finish first\n')
    expect(out).not.toContain('a-platform-key-of-a-test')
  },
)
