import { expect, test } from 'vitest'
import { SETTINGS } from '../../src/platform/config/config.ts'
import { kasir } from '../support/kasir.ts'

const COMMANDS = [
  'serve',
  'migrate',
  'shard',
  'demo',
  'import-catalogue',
  'export-catalogue',
  'delegation-token',
  'mcp',
  'listen',
  'trigger',
  'rotate-secrets',
  'reset-second-factor',
  'reference-partner',
  'backup',
  'restore',
  'tls',
  'doctor',
]

test('kasir --help names every command and every setting', async () => {
  const { code, out, err } = await kasir(['--help'])
  expect([code, err]).toEqual([0, ''])
  for (const name of COMMANDS) expect(out).toMatch(new RegExp(`^  ${name} +\\w`, 'm'))
  for (const { env } of Object.values(SETTINGS)) expect(out).toContain(env)
})

test.each(COMMANDS)(
  'kasir %s --help has usage, options, settings and examples, and does nothing',
  async (name) => {
    const { code, out } = await kasir([name, '--help'], { DATA_DIR: '/nonexistent/kasir' })
    expect(code).toBe(0)
    for (const title of ['Usage', 'Options', 'Environment', 'Examples']) expect(out).toContain(`\n${title}\n`)
    expect(out).toContain(`kasir ${name}`)
  },
)

test('the page of serve lists every setting but the one for tests', async () => {
  const { out } = await kasir(['serve', '--help'])
  const listed = [...out.matchAll(/^ {2}([A-Z0-9_]+) {2,}/gm)].map(([, name]) => name)
  const settings = Object.values(SETTINGS).map(({ env }) => env)
  expect(listed.sort()).toEqual(settings.filter((name) => name !== 'NODE_ENV').sort())
})

test('kasir help serve is the page of serve, and of a command that is not there says so', async () => {
  const [asked, page] = await Promise.all([kasir(['help', 'serve']), kasir(['serve', '--help'])])
  expect(asked).toEqual(page)
  expect((await kasir(['help', 'sell'])).err).toBe('There is no command "sell"\nSee kasir --help\n')
})

test.each([
  [[], 2, ''],
  [['sell'], 2, 'There is no command "sell"\nSee kasir --help\n'],
  [['serve', '--prot', '80'], 2, 'Unknown option --prot\nSee kasir --help\n'],
  [['migrate', 'now'], 2, 'Unexpected argument "now"\nSee kasir --help\n'],
  [['demo', '--days', '91'], 2, '--days must be a whole number from 0 to 90\nSee kasir --help\n'],
  [['import-catalogue'], 2, 'Missing required positional argument: FILE\nSee kasir --help\n'],
  [['export-catalogue'], 2, 'Missing required positional argument: FILE\nSee kasir --help\n'],
  [
    ['reference-partner', 'fun'],
    2,
    'There is no partner "fun"; choose one of: payment, fulfillment, marketing\nSee kasir --help\n',
  ],
  [
    ['reference-partner', 'payment', '--key', 'short'],
    2,
    '--key (or PAYMENT_PARTNER_KEY) must be 16 or more ASCII characters without spaces\nSee kasir --help\n',
  ],
  [['demo', '--days', 'ten'], 2, '--days must be a whole number from 0 to 90\nSee kasir --help\n'],
])('a wrong call %j exits with 2 and says why', async (args, code, err) => {
  const ran = await kasir(args)
  expect([ran.code, ran.err]).toEqual([code, err])
})

test('every fault of the configuration is reported at once, each in one line', async () => {
  const { code, err } = await kasir(['serve', '--port', '70000'], {
    LOG_LEVEL: 'loud',
    DATABASE_URL: 'mysql://x',
  })
  expect(code).toBe(1)
  expect(err.trimEnd().split('\n')).toEqual([
    'PORT must be a whole number from 0 to 65535 (it is "70000")',
    'DATABASE_URL must start with postgres: or postgresql:',
    'LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent (it is "loud")',
  ])
})
