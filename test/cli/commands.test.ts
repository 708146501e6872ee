import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dayOf, startOfDay } from '../../src/core/time.ts'
import { startEmbedded } from '../../src/platform/db/embedded.ts'
import { freshDataDir, kasir } from '../support/kasir.ts'
import { ownService } from '../support/service.ts'

let room: Awaited<ReturnType<typeof freshDataDir>>
const SLOW = 120_000

beforeAll(async () => {
  room = await freshDataDir()
})
afterAll(() => room.remove())

const on = (more: Record<string, string> = {}) => ({ DATA_DIR: room.dataDir, PORT: '0', ...more })

test(
  'doctor before the first start finds no fault and makes nothing',
  async () => {
    const { code, out } = await kasir(['doctor'], on())
    expect(code).toBe(0)
    expect(out).toContain('All checks passed.')
    await expect(stat(room.dataDir)).rejects.toThrow('ENOENT')
  },
  SLOW,
)

test(
  'migrate makes the schema once',
  async () => {
    const first = await kasir(['migrate'], on())
    expect([first.code, first.out]).toEqual([0, expect.stringContaining('Applied 0001_workspace.sql')])
    const second = await kasir(['migrate'], on())
    expect([second.code, second.out]).toEqual([0, 'The schema was up to date; nothing to do.\n'])
  },
  SLOW,
)

test(
  'demo fills one workspace once, and gives another key when asked',
  async () => {
    const first = await kasir(['demo', '--days', '1', '--fast'], on())
    expect([first.code, first.err]).toEqual([0, ''])
    expect(first.out).toContain('The demo is ready.')
    const file = path.join(room.dataDir, 'demo-logins.json')
    const [login] = JSON.parse(await readFile(file, 'utf8')) as { password: string; apiKey: string }[]
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    const second = await kasir(['demo', '--days', '1'], on())
    expect(second.code).toBe(0)
    expect(second.out).toContain('nothing was added')
    expect(second.out).toContain(login?.password)
    expect(second.out).toContain(login?.apiKey)
    const third = await kasir(['demo', '--new-key'], on())
    expect(third.out).not.toContain(login?.apiKey)
    expect(third.out).toContain('kasir_sk_')
  },
  SLOW,
)

test(
  'an interrupted demo ends with 130, and the next run tells the rest as if nothing had happened',
  async () => {
    const whole = ['demo', '--days', '3', '--fast', '--email', 'whole@kasir.example']
    const parted = ['demo', '--days', '3', '--fast', '--email', 'parted@kasir.example']
    const first = await kasir(parted, on(), { after: /^Selling for 3 days: /m, signal: 'SIGINT' })
    expect([first.code, first.err]).toEqual([130, ''])
    expect(first.out).toMatch(/^Stopped after [123] of 4 days; run kasir demo again to continue\.$/m)
    const second = await kasir(parted, on())
    expect([second.code, second.err]).toEqual([0, ''])
    expect(second.out).toContain('Continuing the demo of parted@kasir.example\n')
    expect(second.out).toContain('The demo is ready.')
    await kasir(whole, on())
    const parts = await soldBy('parted@kasir.example')
    const one = await soldBy('whole@kasir.example')
    expect(one.length).toBeGreaterThan(40)
    expect(parts).toEqual(one)
    const third = await kasir(parted, on())
    expect(third.out).toContain('nothing was added')
  },
  SLOW,
)

/** What each complete day of a demo sold: receipt number and total. Today ends at another minute in every run. */
async function soldBy(email: string): Promise<unknown[]> {
  const { url, stop } = await startEmbedded({ dataDir: room.dataDir, say: () => {} })
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query({
      text: `select s.number, s.total::int from sales s join member_emails e using (account_id)
        where e.email = $1 and s.created_at < $2::timestamptz order by s.outlet_id, s.number`,
      values: [email, startOfDay(dayOf(new Date().toISOString(), 'Asia/Jakarta'), 'Asia/Jakarta')],
      rowMode: 'array',
    })
    return rows.map(([number, total]) => [number, total]).sort()
  } finally {
    await client.end()
    await stop()
  }
}

test(
  'the commands a demo prints are for its own port and data directory, with the address in quotes',
  async () => {
    const alone = await kasir(['demo'], on({ PORT: '8123' }))
    expect(alone.out).toContain(
      `\nTry it while the service runs (PORT=8123 DATA_DIR=${on()['DATA_DIR']} npm start):\n`,
    )
    expect(alone.out).toMatch(
      /^ {2}curl 'http:\/\/127\.0\.0\.1:8123\/api\/v1\/sales\?limit=3' -H 'Authorization/m,
    )
  },
  SLOW,
)

test(
  'a first start tells of its migrations in one line',
  async () => {
    const fresh = await freshDataDir()
    const ready = { after: /is ready at/, signal: 'SIGTERM' } as const
    const { code, out } = await kasir(['serve'], { DATA_DIR: fresh.dataDir, PORT: '0' }, ready)
    await fresh.remove()
    expect(code).toBe(0)
    expect(out).toMatch(/^Database schema brought up to date \(\d+ migrations\)$/m)
    expect(out).not.toContain('.sql')
    expect(out).not.toMatch(/\b0001_/)
  },
  SLOW,
)

test(
  'a start that is told to stop before it is ready ends without saying that it is',
  async () => {
    const fresh = await freshDataDir()
    const early = { after: /^Creating the database/m, signal: 'SIGINT' } as const
    const { code, out } = await kasir(['serve'], { DATA_DIR: fresh.dataDir, PORT: '0' }, early)
    await fresh.remove()
    expect(code).toBe(0)
    expect(out).toContain('Stopping: ')
    expect(out).not.toContain('is ready at')
  },
  SLOW,
)

test.each(['/proc/kasir', '/proc/kasir/data', '/dev/null/data'])(
  'a data directory %s that cannot be made is one sentence at once',
  async (dataDir) => {
    const told = `DATA_DIR ${dataDir} cannot be created or written (`
    for (const command of ['serve', 'migrate']) {
      const { code, err } = await kasir([command], { DATA_DIR: dataDir, PORT: '0' })
      expect([command, code]).toEqual([command, 1])
      expect(err.startsWith(told)).toBe(true)
      expect(err.trimEnd().split('\n')).toHaveLength(1)
    }
  },
  SLOW,
)

test(
  'a demo that broke off half-way is not taken for a finished one',
  async () => {
    const file = path.join(room.dataDir, 'demo-logins.json')
    const finished = await readFile(file, 'utf8')
    expect(finished).toContain('"isReady": true')
    await writeFile(file, finished.replace('"isReady": true', '"isReady": false'))
    const { code, out } = await kasir(['demo', '--days', '1'], on())
    expect(code).toBe(1)
    expect(out).toContain('It is not finished: filling it was interrupted')
    expect(out).toContain('--email with another address creates a complete one.')
    await writeFile(file, finished)
  },
  SLOW,
)

test(
  'a catalogue goes out and comes in again unchanged; what cannot be taken is listed and told by the exit code',
  async () => {
    const file = path.join(path.dirname(room.dataDir), 'goods.csv')
    const whose = ['--email', 'demo@kasir.example']
    const out = await kasir(['export-catalogue', file, ...whose], on())
    expect([out.code, out.err, out.out]).toEqual([0, '', expect.stringMatching(/^\d+ rows written to/m)])
    const same = await kasir(['import-catalogue', file, ...whose], on())
    expect([same.code, same.out]).toEqual([
      0,
      expect.stringMatching(/^Products: 0 created, 0 changed, \d+ unchanged, 0 refused\.$/m),
    ])
    const text = await readFile(file, 'utf8')
    await writeFile(file, text.replace(',35000,15000,', ',a lot,15000,'))
    const refused = await kasir(['import-catalogue', file, '--dry-run', ...whose], on())
    expect([refused.code, refused.out]).toEqual([1, expect.stringContaining('1 refused')])
    expect(await readFile(`${file}.errors.csv`, 'utf8')).toContain('Ayam geprek')
  },
  SLOW,
)

test(
  'a catalogue file that cannot be read or written is one sentence, and nothing is left beside it',
  async () => {
    const home = path.dirname(room.dataDir)
    const whose = ['--email', 'demo@kasir.example']
    const nowhere = path.join(home, 'none', 'goods.csv')
    const barred = path.join(home, 'barred.csv')
    await writeFile(barred, 'name,price\n')
    await mkdir(`${barred}.errors.csv`)
    const cases: [string, string, string][] = [
      ['export-catalogue', nowhere, `${nowhere} cannot be written: its directory does not exist`],
      ['export-catalogue', home, `${home} cannot be written: it is a directory`],
      ['import-catalogue', nowhere, `There is no file ${nowhere}`],
      ['import-catalogue', home, `${home} cannot be read: it is a directory`],
      ['import-catalogue', barred, `${barred}.errors.csv cannot be written: it is a directory`],
    ]
    for (const [command, file, told] of cases) {
      const { code, err } = await kasir([command, file, ...whose], on())
      expect([command, code, err]).toEqual([command, 1, `${told}\n`])
    }
    await expect(stat(`${home}.errors.csv`)).rejects.toThrow('ENOENT')
  },
  SLOW,
)

test(
  'doctor checks the books of the demo, and finds a secrets key that others can read',
  async () => {
    const well = await kasir(['doctor'], on())
    expect([well.code, well.out]).toEqual([
      0,
      expect.stringMatching(/^ok +books: sales +\d+ invariants hold$/m),
    ])
    await chmod(path.join(room.dataDir, 'secrets.key'), 0o644)
    const { code, out } = await kasir(['doctor'], on())
    expect(code).toBe(1)
    expect(out).toMatch(/^fault +secrets key .*mode 644/m)
    expect(out).toContain('One fault.')
  },
  SLOW,
)

test(
  'beside a running service the commands use its database, and a second service is refused',
  async () => {
    const service = await ownService()
    try {
      await service.start()
      const env = { DATA_DIR: service.dataDir, PORT: new URL(service.address()).port }
      const doctor = await kasir(['doctor'], env)
      expect(doctor.code).toBe(0)
      expect(doctor.out).toMatch(/^ok +service +version .* is running at/m)
      expect(doctor.out).toContain('in use by a service')
      const elsewhere = await kasir(['doctor', '--data-dir', '/nonexistent/kasir'], env)
      expect([elsewhere.code, elsewhere.out]).toEqual([1, expect.not.stringContaining('All checks passed')])
      expect(elsewhere.out).toMatch(/^warn +data directory +\/nonexistent\/kasir does not exist$/m)
      expect(elsewhere.out).toMatch(
        /^fault +port +.* is in use by a Kasir service with another data directory$/m,
      )
      const demo = await kasir(['demo', '--days', '0', '--fast'], { DATA_DIR: service.dataDir })
      expect([demo.code, demo.err]).toEqual([0, ''])
      expect(demo.out).toContain(`curl '${service.address()}/api/v1/sales?limit=3'`)
      // Every module can be tried in the demo.
      const [login] = JSON.parse(await readFile(path.join(service.dataDir, 'demo-logins.json'), 'utf8'))
      const headers = { authorization: `Bearer ${login.apiKey}` }
      const answer = await fetch(`${service.address()}/api/v1/modules`, { headers })
      const { modules } = ((await answer.json()) as { data: { modules: { module: string }[] } }).data
      expect(modules).toMatchObject([
        { module: 'payment', allowed: true, enabled: false },
        { module: 'fulfillment', allowed: true, enabled: false },
        { module: 'marketing', allowed: true, enabled: true },
      ])
      const second = await kasir(['serve', '--port', '0'], env)
      expect(second.code).toBe(1)
      expect(second.err).toMatch(/^Kasir is already running on \S+ \(process \d+\): stop it first.*\n$/)
    } finally {
      await service.end()
    }
  },
  SLOW,
)

test(
  'a database that does not answer is one line, not a stack',
  async () => {
    const { code, err } = await kasir(['serve'], on({ DATABASE_URL: 'postgres://kasir@127.0.0.1:1/kasir' }))
    expect(code).toBe(1)
    expect(err.trimEnd().split('\n')).toHaveLength(1)
    expect(err).toContain('ECONNREFUSED')
  },
  SLOW,
)
