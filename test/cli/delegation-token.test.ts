import { beforeAll, expect, test } from 'vitest'
import { memberOf, withAuthorization } from '../support/clients.ts'
import { kasir } from '../support/kasir.ts'
import { acme, deps, useService } from '../support/service.ts'

useService()

let member = ''
beforeAll(async () => {
  member = (await memberOf(acme(), 'MANAGER', 'Ani')).id
})

const SLOW = 60_000
const run = (...args: string[]) =>
  kasir(['delegation-token', ...args], {
    DATA_DIR: deps().config.dataDir,
    DATABASE_URL: deps().pool.options.connectionString ?? '',
    ALLOW_UNSAFE_DATABASE: '1',
  })

test(
  'kasir delegation-token prints the token alone, and the running service knows it',
  async () => {
    const { code, out, err } = await run(
      '--member',
      member,
      '--mode',
      'review',
      '--run',
      'r-42',
      '--minutes',
      '5',
    )
    expect([code, out]).toEqual([0, expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+\n$/)])
    expect(err).toMatch(/^dlg_[0-9A-Z]{26}, until \d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z\n$/)
    const api = withAuthorization(`Delegation ${out.trim()}`)
    const { data } = await api.get('/auth/me')
    expect([data.user.name, data.user.role, data.credential]).toEqual([
      'Ani',
      'MANAGER',
      { type: 'delegation', mode: 'review', run: 'r-42' },
    ])
    expect((await api.post('/categories', { name: 'No' })).status).toBe(403)
  },
  SLOW,
)

test.each([
  [
    ['--member', 'usr_01KAAAAAAAAAAAAAAAAAAAAAAA', '--mode', 'act'],
    'There is no member usr_01KAAAAAAAAAAAAAAAAAAAAAAA',
  ],
  [['--member', 'x', '--mode', 'admin'], '--mode is act or review'],
  [['--member', 'x', '--mode', 'act', '--minutes', '16'], '--minutes is a whole number from 1 to 15'],
  [['--member', 'x', '--mode', 'act', '--minutes', '0'], '--minutes is a whole number from 1 to 15'],
  [['--member', 'x', '--mode', 'act', '--minutes', '1.5'], '--minutes is a whole number from 1 to 15'],
  [['--member', 'x', '--mode', 'act', '--run', 'a\nb'], '--run is 1 to 200 characters on one line'],
  [['--mode', 'act'], 'member'],
  [['--member', 'x'], 'mode'],
])(
  'kasir delegation-token %j prints no token and says why',
  async (args, told) => {
    const { code, out, err } = await run(...args)
    expect([code, out, err]).toEqual([2, '', expect.stringContaining(told)])
  },
  SLOW,
)
