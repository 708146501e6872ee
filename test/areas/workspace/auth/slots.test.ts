import { expect, test } from 'vitest'
import { makeOutlet } from '../../../support/build.ts'
import { memberOf } from '../../../support/clients.ts'
import { enrolTill, lockedTill } from '../../../support/pins.ts'
import { acme, deps, globex, useService } from '../../../support/service.ts'

useService({ env: { DATABASE_POOL_SIZE: '4' } })

const CROWD = 300

test.each(['/auth/me', '/auth/sessions', '/auth/second-factor', '/tills/current'])(
  'three hundred GET %s of one workspace queue for its own connections, and another workspace is answered meanwhile',
  async (path) => {
    await makeOutlet(globex())
    const till = path === '/tills/current'
    const crowd = till ? lockedTill(await enrolTill(acme())) : (await memberOf(acme(), 'OWNER')).api
    let answered = 0
    let mostWaiting = 0
    let statuses: number[] = []
    const watcher = setInterval(() => {
      mostWaiting = Math.max(mostWaiting, deps().pool.waitingCount)
    }, 1)
    try {
      const answers = Array.from({ length: CROWD }, () =>
        crowd.get(path).then(({ status }) => {
          answered += 1
          return status
        }),
      )
      expect((await globex().get('/outlets')).status).toBe(200)
      expect(answered).toBeLessThan(CROWD)
      statuses = await Promise.all(answers)
    } finally {
      clearInterval(watcher)
    }
    // A request that waited too long for a slot gets 503 with Retry-After.
    expect(new Set([...statuses, 200, 503])).toEqual(new Set([200, 503]))
    expect(mostWaiting).toBeLessThan(20)
  },
)
