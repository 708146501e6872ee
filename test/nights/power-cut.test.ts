import { execFile } from 'node:child_process'
import { copyFile, open, readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { gunzipSync } from 'node:zlib'
import pg from 'pg'
import { afterAll, beforeAll, expect } from 'vitest'
import { startEmbedded } from '../../src/platform/db/embedded.ts'
import { migrate, readMigrations } from '../../src/platform/db/migrate.ts'
import { pngOf } from '../support/images.ts'
import { newLedger, openShopAt, type Shop } from '../support/tills.ts'
import {
  backUp,
  createInstallation,
  expectEverySaleOnce,
  expectRecovered,
  type Installation,
  openTills,
  queryRows,
  tablesIn,
} from './installation.ts'
import { randomNumbers } from './moments.ts'
import { type KasirProcess } from './processes.ts'
import { step } from './step.ts'

const CUTS = Number(process.env['NIGHTS_CUTS'] ?? 4)

/** One installation sells through all of it; what its tills were told stands in one ledger. */
let house: Installation
let shop: Shop
const ledger = newLedger()
const made: Installation[] = []

async function install(more: Record<string, string> = {}): Promise<Installation> {
  const installation = await createInstallation(more)
  made.push(installation)
  return installation
}

beforeAll(async () => {
  house = await install()
  await house.serve()
  shop = await openShopAt(house.address)
  const { data: signed } = await shop.call('/uploads/sign', { contentType: 'image/png' })
  const put = { method: 'PUT', body: new Uint8Array(pngOf(64, 64)), headers: { 'content-type': 'image/png' } }
  const url = house.address() + signed.url.slice(new URL(signed.url).origin.length)
  expect((await fetch(url, put)).status).toBe(200)
  await shop.call('/webhook-subscriptions', { url: 'https://example.com/hook' })
})
afterAll(async () => {
  for (const installation of made) await installation.remove()
})

/** How long a command takes that is not interrupted. */
async function lengthOf(running: KasirProcess): Promise<number> {
  const began = performance.now()
  expect(await running.ended, running.output()).toBe(0)
  return performance.now() - began
}

const inWords = (moments: number[]) => `cut after ${moments.map((ms) => Math.round(ms)).join(', ')} ms`

step(
  `a backup beside selling tills: ${CUTS} power cuts lose no acknowledged sale and give no half of a file its name`,
  async ({ say, remark }) => {
    const fileOf = (name: string) => path.join(house.backups, `${name}.tar.gz`)
    let tills = openTills(shop, ledger)
    await tills.sold(40)
    const length = await lengthOf(house.command(['backup', fileOf('whole')]))
    const moments = randomNumbers('backup', CUTS).map((number) => number * length)
    for (const [index, moment] of moments.entries()) {
      const file = fileOf(`cut-${index}`)
      const backup = house.command(['backup', file])
      await sleep(moment)
      await house.cutPower(backup)
      say(`backup: power cut ${index + 1} after ${Math.round(moment)} ms`)
      await house.serve()
      await tills.close()
      await expectEverySaleOnce(house, ledger)
      if ((await readdir(house.backups)).includes(path.basename(file)))
        await house.run('backup', '--check', file)
      await expectRecovered(house)
      tills = openTills(shop, ledger)
      await tills.sold(40)
    }
    await tills.close()
    remark(`${inWords(moments)}; ${ledger.acknowledged.size} sales`)
  },
)

step(
  `a restore in place of other books: ${CUTS} power cuts leave the old books or the new ones, and a second try succeeds`,
  async ({ say, remark }) => {
    const tills = openTills(shop, ledger)
    const old = await backUp(house)
    await tills.sold(40)
    const fresh = await backUp(house)
    await tills.close()
    const other = await install()
    await other.run('restore', old)
    await copyFile(path.join(house.dataDir, 'secrets.key'), path.join(other.dataDir, 'secrets.key'))
    const replace = ['--replace', 'kasir']
    const length = await lengthOf(other.command(['restore', fresh, ...replace]))
    await other.run('restore', old, ...replace)
    const [oldTables, freshTables] = [await tablesIn(old), await tablesIn(fresh)]
    const moments = randomNumbers('restore', CUTS).map((number) => number * length)
    for (const [index, moment] of moments.entries()) {
      // Every second one reads a pipe, which it has to keep meanwhile.
      const source = await open(fresh)
      const isPiped = index % 2 === 1
      const restore = isPiped
        ? other.command(['restore', '-', ...replace], source.fd)
        : other.command(['restore', fresh, ...replace])
      await sleep(moment)
      await other.cutPower(restore)
      await source.close()
      say(`restore${isPiped ? ' from a pipe' : ''}: power cut ${index + 1} after ${Math.round(moment)} ms`)
      const left = await tablesIn(await backUp(other))
      expect([oldTables, freshTables], 'the old books or the new ones, whole').toContainEqual(left)
      await other.run('restore', fresh, ...replace)
      await other.serve()
      await expectRecovered(other)
      await other.stop()
      await other.run('restore', old, ...replace)
    }
    remark(inWords(moments))
  },
)

const OLD_FIXTURE = new URL('../platform/fixtures/filled-0005.sql.gz', import.meta.url)
const OLD_KEY = 'OQxQbxE39d8RZMvzQ3HTkJwMpl2uOhR4F7QPqxsjP64='
const OLD_SALES = 28

/** A database of the fifth migration, with rows in each of its tables. */
async function fillOldSchema(dataDir: string) {
  const database = await startEmbedded({ dataDir, say: () => {} })
  try {
    await migrate(database.url, (await readMigrations()).slice(0, 5))
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    const lines = gunzipSync(await readFile(OLD_FIXTURE))
      .toString('utf8')
      .split('\n')
    for (const line of lines.filter((text) => text !== '' && !text.startsWith('--'))) await client.query(line)
    await client.end()
  } finally {
    await database.stop()
  }
}

step(
  `a migration of an old schema: after ${CUTS} power cuts the next start finishes it and every sale is there`,
  async ({ say, remark }) => {
    const old = await install({ SECRETS_KEY: OLD_KEY })
    await fillOldSchema(old.dataDir)
    const copyOfOld = async () => {
      const copy = await install({ SECRETS_KEY: OLD_KEY })
      await promisify(execFile)('cp', ['-a', old.dataDir, copy.dataDir])
      return copy
    }
    const length = await lengthOf((await copyOfOld()).command(['migrate']))
    const moments = randomNumbers('migrate', CUTS).map((number) => number * length)
    for (const [index, moment] of moments.entries()) {
      const copy = await copyOfOld()
      const migration = copy.command(['migrate'])
      await sleep(moment)
      await copy.cutPower(migration)
      say(`migrate: power cut ${index + 1} after ${Math.round(moment)} ms`)
      await copy.serve()
      expect(await queryRows(copy, 'select count(*)::int as sales from sales')).toEqual([
        { sales: OLD_SALES },
      ])
      await expectRecovered(copy)
      await copy.remove()
    }
    remark(inWords(moments))
  },
)

/** The command waits this long for every process to look (src/cli/rotate-secrets.ts). */
const ROTATION_WAIT_MS = 12_000

step(
  `a change of the key for secrets: ${CUTS} power cuts leave every secret readable, and a second try ends it`,
  async ({ say, remark }) => {
    const first = await shop.call('/api-keys', { name: 'Second till' }, { 'idempotency-key': 'second-till' })
    const expectReadable = async () => {
      const again = await shop.call(
        '/api-keys',
        { name: 'Second till' },
        { 'idempotency-key': 'second-till' },
      )
      expect(again.data, 'a stored reply with a secret can be read').toEqual(first.data)
    }
    // Nothing happens in the wait, so half of the cuts come before it and half after it.
    const moments = randomNumbers('rotate', CUTS).map((number, index) =>
      index < CUTS / 2 ? number * 1_500 : ROTATION_WAIT_MS + number * 1_500,
    )
    for (const [index, moment] of moments.entries()) {
      const tills = openTills(shop, ledger)
      const rotation = house.command(['rotate-secrets'])
      await Promise.race([sleep(moment), rotation.ended])
      await house.cutPower(rotation)
      say(`rotate-secrets: power cut ${index + 1} after ${Math.round(moment)} ms`)
      await house.serve()
      await tills.close()
      await expectReadable()
      await expectEverySaleOnce(house, ledger)
      await expectRecovered(house)
    }
    await house.run('rotate-secrets', '--forget')
    await expectReadable()
    await house.stop()
    await house.serve()
    await expectReadable()
    remark(inWords(moments))
  },
)

step(
  `the close of a shift while tills sell: after ${CUTS} power cuts its repetition closes it once, with all that was sold in it`,
  async ({ say, remark }) => {
    const moments = randomNumbers('close', CUTS).map((number) => number * 60)
    for (const [index, moment] of moments.entries()) {
      const { shift } = (await shop.call('/shifts/open', { outletId: shop.outletId, openingFloat: 100_000 }))
        .data
      const tills = openTills(shop, ledger)
      await tills.sold(40)
      const close = () =>
        shop.call(
          `/shifts/${shift.id}/close`,
          { countedCash: 1_000_000 },
          { 'idempotency-key': `close-${index}` },
        )
      const unheard = close().catch(() => null)
      await sleep(moment)
      await house.cutPower()
      await unheard
      say(`close: power cut ${index + 1} after ${Math.round(moment)} ms`)
      await house.serve()
      await tills.sold(20)
      const closed = await close()
      expect([closed.status, closed.data?.shift.status, closed.message]).toEqual([200, 'CLOSED', ''])
      await tills.close()
      expect((await close()).data, 'a repetition answers the same').toEqual(closed.data)
      const [sold] = await queryRows<{ count: number }>(
        house,
        `select count(*)::int as count from sales where shift_id = '${shift.id}' and status = 'COMPLETED'`,
      )
      expect(closed.data.shift.summary.salesCount, 'the figures count every sale of the shift').toBe(
        sold?.count,
      )
      await expectEverySaleOnce(house, ledger)
      await expectRecovered(house)
    }
    await house.stop()
    remark(inWords(moments))
  },
)
