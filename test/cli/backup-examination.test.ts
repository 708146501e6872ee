import { chmod, copyFile, mkdir, mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { enableModule, openShift, openShop, type Shop, stock } from '../support/build.ts'
import { cloneDatabase, emptyDatabase, type TestDatabase } from '../support/db.ts'
import { done, refusalOf } from '../support/expect.ts'
import { kasir } from '../support/kasir.ts'
import { settingsOf, startPartner } from '../support/partner.ts'
import { acme, alongside, deps, useService } from '../support/service.ts'

const SLOW = 180_000
const partner = await startPartner()
useService({ env: settingsOf(partner) })

let room = ''
let shop: Shop
const databases: TestDatabase[] = []

const at = (name: string) => path.join(room, name)
const databaseUrl = () => deps().pool.options.connectionString ?? ''
const fresh = async () => {
  const database = await emptyDatabase()
  databases.push(database)
  return database.url
}
const env = (url: string) => ({ DATABASE_URL: url, DATA_DIR: at('data'), ALLOW_UNSAFE_DATABASE: '1' })
const backup = (...args: string[]) => kasir(['backup', ...args], env(databaseUrl()))
const check = (file: string) => kasir(['backup', '--check', file])
const restore = (url: string, ...args: string[]) => kasir(['restore', ...args], env(url))
const query = (text: string) => deps().pool.query(text)

beforeAll(async () => {
  room = await mkdtemp(path.join(tmpdir(), 'kasir-examination-'))
  await chmod(room, 0o711)
  await mkdir(at('data'))
  await enableModule(acme(), 'payment')
  shop = await openShop(acme())
  await stock(acme(), shop.outletId, shop.latte, 5)
}, SLOW)
afterAll(async () => {
  await partner.close()
  for (const { drop } of databases) await drop()
  await rm(room, { recursive: true, force: true })
})

/** A backup of now is whole and sound, and so is the database that it is restored into. */
async function expectRestorable(name: string) {
  const file = at(name)
  const saved = await backup(file)
  expect([saved.code, saved.err]).toEqual([0, ''])
  expect(saved.out).toContain('The books are consistent.\n')
  const restored = await restore(await fresh(), file)
  expect([restored.code, restored.err]).toEqual([0, ''])
}

const json = { 'content-type': 'application/json' }
const FAULTS: [string, (to: ServerResponse) => unknown][] = [
  ['drops the connection', (to) => to.destroy()],
  ['answers 500', (to) => to.writeHead(500).end('<h1>')],
  ['answers half of a document', (to) => to.writeHead(200, json).end('{"data":{"id":"cks_')],
  ['answers garbage', (to) => to.writeHead(200, json).end(Buffer.from([0xff, 0xfe, 0x00]))],
  ['answers in other types', (to) => to.writeHead(200, json).end('{"data":{"id":1}}')],
]

describe('a request that a partner has not answered', () => {
  const qris = { amount: 20_000, method: 'qris' }

  test(
    'a backup taken while the partner is asked, and one taken after its timeout, can be restored',
    async () => {
      const hasty = await alongside({ partnerTuning: { timeoutMs: 5_000, failures: 1_000 } })
      const before = partner.asked.length
      partner.answers(() => {})
      const asking = hasty
        .as(acme().workspace.key)
        .post('/payments/qris', qris, { idempotencyKey: 'hanging' })
      await expect.poll(() => partner.asked.length).toBeGreaterThan(before)
      await expectRestorable('asking.tar.gz')
      expect(refusalOf(await asking)).toMatchObject({ code: 'PARTNER_TIMEOUT' })
      await expectRestorable('timeout.tar.gz')
      await hasty.stop()
      partner.answers()
    },
    SLOW,
  )

  test(
    'a backup taken after any fault of a partner can be restored',
    async () => {
      const patient = await alongside({ partnerTuning: { failures: 1_000 } })
      const api = patient.as(acme().workspace.key)
      for (const [name, fault] of FAULTS) {
        const idempotencyKey = (call: string) => ({ idempotencyKey: `${call}-${name.replaceAll(' ', '-')}` })
        partner.answers((request, response) =>
          /checkout-sessions|gift-cards/.test(request.path)
            ? void fault(response)
            : partner.well(request, response),
        )
        for (const answer of [
          await api.post('/payments/qris', qris, idempotencyKey('qris')),
          await api.post('/gift-cards', { amount: 10_000 }, idempotencyKey('card')),
        ])
          expect(answer.status).toBeGreaterThanOrEqual(500)
      }
      partner.answers()
      await expectRestorable('faults.tar.gz')
      await patient.stop()
    },
    SLOW,
  )
})

/** The job that finishes closes ended its last good run then, in SQL; null if it never did. */
const finishesEnded = (when: string) =>
  query(`insert into jobs (name, due_at, finished_at) values ('shifts.cut-off-closes', now(), ${when})
    on conflict (name) do update set finished_at = excluded.finished_at`)

test(
  'a backup of a shift between the two steps of its close can be restored, however long the power was off after the first',
  async () => {
    const id = await openShift(acme(), shop.outletId)
    done(await acme().post(`/shifts/${id}/close`, { countedCash: 0 }))
    const close = `summary = null, difference = null, expected_cash = null`
    await query(`update shifts set ${close}, closed_at = now() - interval '9 hours' where id = '${id}'`)
    await finishesEnded('null')
    await expectRestorable('closing.tar.gz')
    await finishesEnded(`now() - interval '9 hours' + interval '10 minutes'`)
    await expectRestorable('power-was-off.tar.gz')
    await query(`update shifts set closed_at = now() where id = '${id}'`)
  },
  SLOW,
)

test(
  'a shift that the job passed over for an hour after its close is reported as a broken row',
  async () => {
    const id = await openShift(acme(), shop.outletId)
    done(await acme().post(`/shifts/${id}/close`, { countedCash: 0 }))
    const close = `summary = null, difference = null, expected_cash = null`
    await query(`update shifts set ${close}, closed_at = now() - interval '3 hours' where id = '${id}'`)
    await finishesEnded(`now() - interval '1 minute'`)
    const saved = await backup(at('passed-over.tar.gz'))
    expect(saved.code).toBe(3)
    expect(saved.err + saved.out).toContain(id)
    await query(`update shifts set closed_at = now() where id = '${id}'`)
  },
  SLOW,
)

/** The same backup as it would be had it been taken `hours` ago. */
async function agedBy(hours: number, from: string, to: string) {
  const text = gunzipSync(await readFile(from)).toString('latin1')
  const [, createdAt = ''] = /"createdAt": "([^"]+)"/.exec(text) ?? []
  const moment = new Date(Date.parse(createdAt) - hours * 3_600_000).toISOString()
  await writeFile(to, gzipSync(Buffer.from(text.replaceAll(createdAt, moment), 'latin1')))
}

const checkAge = (age: string, folder: string) => kasir(['backup', '--check-age', age, folder])

describe('the age of the last good backup', () => {
  let good = ''
  let broken = ''

  beforeAll(async () => {
    good = at('age-good.tar.gz')
    expect((await backup(good)).code).toBe(0)
    await query(
      `update stock_levels set quantity = quantity + 1 where ctid = (select ctid from stock_levels limit 1)`,
    )
    broken = at('age-broken.tar.gz')
    expect((await backup(broken)).code).toBe(3)
    await restoreLevels()
  }, SLOW)

  const aFolder = async (name: string) => {
    await mkdir(at(name))
    return at(name)
  }

  test(
    'a young good backup exits with 0 and is named with its age, whatever lies beside it',
    async () => {
      const folder = await aFolder('young')
      await agedBy(25, good, path.join(folder, 'yesterday.tar.gz'))
      await writeFile(path.join(folder, 'torn.tar.gz'), (await readFile(good)).subarray(0, -200))
      await writeFile(path.join(folder, 'empty.tar.gz'), '')
      await writeFile(path.join(folder, 'notes.txt'), 'no backup')
      const { code, out, err } = await checkAge('26h', folder)
      expect([code, err]).toEqual([0, ''])
      expect(out).toMatch(/^Not counted: torn\.tar\.gz\. The backup is (cut off|damaged): .*$/m)
      expect(out).toMatch(/^Not counted: empty\.tar\.gz\. .*$/m)
      expect(out).toMatch(/^The last good backup is yesterday\.tar\.gz of \S+Z, 25 hours old\.$/m)
    },
    SLOW,
  )

  test(
    'an old one exits with 1 and is named, however young its file looks',
    async () => {
      const folder = await aFolder('old')
      const file = path.join(folder, 'old.tar.gz')
      await agedBy(27, good, file)
      await utimes(file, new Date(), new Date())
      const { code, err } = await checkAge('26h', folder)
      expect([code, err]).toEqual([
        1,
        expect.stringMatching(
          /^There is no good backup of the last 26h in \S+\. The newest one before that is old\.tar\.gz of \S+, 27 hours old\.\n$/,
        ),
      ])
      expect((await checkAge('2d', folder)).code).toBe(0)
    },
    SLOW,
  )

  test(
    'one that was not verified is not counted; an older verified one is, while it is young enough',
    async () => {
      const folder = await aFolder('unverified')
      await agedBy(1, good, path.join(folder, 'new.tar.gz'))
      await writeFile(path.join(folder, 'new.tar.gz.unverified'), '')
      const alone = await checkAge('26h', folder)
      expect([alone.code, alone.err]).toEqual([1, expect.stringContaining('no good backup of the last 26h')])
      expect(alone.out).toBe('Not counted: new.tar.gz. It is not verified, or its backup did not finish.\n')
      await agedBy(25, good, path.join(folder, 'yesterday.tar.gz'))
      const both = await checkAge('26h', folder)
      expect([both.code, both.out]).toEqual([0, expect.stringContaining('yesterday.tar.gz of ')])
    },
    SLOW,
  )

  test(
    'a file that is cut off, a folder without backups, one that is not there, and one from the future exit with 1',
    async () => {
      const torn = await aFolder('torn')
      await writeFile(path.join(torn, 'torn.tar.gz'), (await readFile(good)).subarray(0, -200))
      const future = await aFolder('future')
      await agedBy(-30, good, path.join(future, 'future.tar.gz'))
      const empty = await aFolder('empty')
      for (const folder of [torn, future, empty, at('nowhere')]) {
        const { code, err } = await checkAge('26h', folder)
        expect([code, err]).toEqual([1, expect.stringContaining(folder)])
      }
      expect((await checkAge('26h', future)).out).toContain('in the future: check the clock.')
    },
    SLOW,
  )

  test(
    'one whose books break an invariant exits with 3 and names the row; a sound one beside it is a good one',
    async () => {
      const folder = await aFolder('broken')
      await copyFile(broken, path.join(folder, 'broken.tar.gz'))
      const alone = await checkAge('26h', folder)
      expect([alone.code, alone.err]).toEqual([3, ''])
      expect(alone.out).toContain('broken: stock: a level is the sum of its movements')
      expect(alone.out).toContain('A restore needs --accept-broken.')
      await agedBy(2, good, path.join(folder, 'good.tar.gz'))
      const both = await checkAge('26h', folder)
      expect([both.code, both.out]).toEqual([0, expect.stringContaining('good.tar.gz of ')])
    },
    SLOW,
  )

  test('an age that is no age is a wrong call', async () => {
    for (const age of ['26', '1w', '-3h', '0h']) {
      const { code, err } = await checkAge(age, room)
      expect([age, code, err]).toEqual([age, 2, expect.stringContaining('such as 90m, 26h or 8d')])
    }
  })
})

/** Undoes what a test broke by hand. */
const restoreLevels = () =>
  query(`update stock_levels l set quantity = coalesce((select sum(qty_delta) from stock_movements m
    where m.account_id = l.account_id and m.outlet_id = l.outlet_id and m.variant_id = l.variant_id), 0)`)

describe('one row that breaks an invariant', () => {
  const sentence = 'stock: a level is the sum of its movements'
  const rows = () => new RegExp(`^  broken: ${sentence} .*"account_id":"${acme().workspace.accountId}"`, 'm')
  let file = ''

  beforeAll(async () => {
    file = at('broken.tar.gz')
    await query(
      `update stock_levels set quantity = quantity + 1 where ctid = (select ctid from stock_levels limit 1)`,
    )
  })
  afterAll(restoreLevels)

  test(
    'backup writes the file, names the sentence with workspace and row, and exits with 3; so does --check',
    async () => {
      for (const ran of [await backup(file), await check(file)]) {
        expect(ran.code).toBe(3)
        expect(ran.out).toMatch(rows())
        expect(ran.out).toContain('A restore of this file needs --accept-broken.')
      }
    },
    SLOW,
  )

  test(
    'restore refuses it with the row and the option that accepts it, and restores nothing',
    async () => {
      const url = await fresh()
      const ran = await restore(url, file)
      expect([ran.code, ran.err]).toEqual([1, expect.stringMatching(rows())])
      expect(ran.err).toContain('Nothing was restored. Add --accept-broken to restore them as they are.')
      expect((await restore(url, file, '--accept-broken')).code).toBe(0)
    },
    SLOW,
  )

  test(
    'restore --accept-broken loads all of it and lists the row, and doctor lists it afterwards',
    async () => {
      const url = await fresh()
      const ran = await restore(url, file, '--accept-broken')
      expect([ran.code, ran.err, ran.out]).toEqual([0, '', expect.stringMatching(rows())])
      const doctor = await kasir(['doctor'], env(url))
      expect([doctor.code, doctor.out]).toEqual([
        1,
        expect.stringContaining('a level is the sum of its movements'),
      ])
    },
    SLOW,
  )
})

test(
  'a backup of an older schema is written; what cannot be checked on it is listed, and a restore checks it',
  async () => {
    const database = await cloneDatabase()
    databases.push(database)
    const { default: pg } = await import('pg')
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    await client.query('alter table sales rename column change_total to change_of_sale')
    await client.end()
    const ran = await kasir(['backup', at('older.tar.gz')], env(database.url))
    expect([ran.code, ran.err]).toEqual([0, ''])
    expect(ran.out).toMatch(
      /^ {2}not checked: the change of a sale is the change of its tenders \(column .*\)$/m,
    )
  },
  SLOW,
)
