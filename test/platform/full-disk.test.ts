import { readdir, symlink } from 'node:fs/promises'
import path from 'node:path'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { systemClock } from '../../src/platform/clock.ts'
import { readConfig } from '../../src/platform/config/config.ts'
import { findRunning, startEmbedded } from '../../src/platform/db/embedded.ts'
import { brokenInvariants } from '../../src/platform/db/invariants.ts'
import { migrate } from '../../src/platform/db/migrate.ts'
import { openDb } from '../../src/platform/db/open.ts'
import { openPulse } from '../../src/platform/db/pulse.ts'
import { dataDirectory, otherDisks } from '../../src/platform/doctor/machine.ts'
import { readDisks, spaceState } from '../../src/platform/files/free-space.ts'
import { toApiError } from '../../src/platform/http/error-handler.ts'
import { writeMail } from '../../src/platform/mail/mail.ts'
import { ownService } from '../support/service.ts'
import { openSmallDisk, type SmallDisk } from '../support/small-disk.ts'

const SLOW = 180_000
const POLL = { timeout: 90_000, interval: 100 }

/** Mounting takes root and loop devices or memory file systems. */
const probe = await openSmallDisk(8)
await probe?.close()
const describeOnDisk = describe.skipIf(probe === null)

const onDisk = async (mebibytes: number, work: (disk: SmallDisk) => Promise<void>) => {
  const disk = await openSmallDisk(mebibytes)
  if (disk === null) throw new Error('the disk could not be mounted')
  try {
    await work(disk)
  } finally {
    await disk.close()
  }
}

const query = async (url: string, text: string) => {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  try {
    await client.connect()
    return (await client.query<Record<string, unknown>>(text)).rows
  } finally {
    await client.end().catch(() => {})
  }
}

describeOnDisk('on a full disk (skipped where this user may not mount one)', () => {
  test(
    'the pulse fails while the database still answers reads, and beats again once there is space',
    () =>
      onDisk(256, async (disk) => {
        const database = await startEmbedded({ dataDir: path.join(disk.folder, 'data'), say: () => {} })
        await migrate(database.url)
        const pulse = openPulse(database.url)
        try {
          await pulse.beat()
          await disk.fill()
          await expect
            .poll(() => pulse.beat().catch((error: unknown) => toApiError(error).message), POLL)
            .toBe(
              "No space left on the database's disk. Ask your administrator to free some, then send the request again",
            )
          expect(await query(database.url, 'select count(*)::int as n from heartbeats')).toEqual([{ n: 1 }])
          await disk.empty()
          await expect.poll(() => pulse.beat(), POLL).toBeUndefined()
          expect(await query(database.url, 'select count(*)::int as n from heartbeats')).toEqual([{ n: 1 }])
        } finally {
          await pulse.close()
          await database.stop()
        }
      }),
    SLOW,
  )

  test(
    'sales say so, resume without a restart of the service after PostgreSQL has panicked, and none is lost or made twice',
    () => onDisk(400, sellOnFullDisk),
    SLOW,
  )

  test('no half of a mail is left behind', () =>
    onDisk(8, async (disk) => {
      const config = readConfig({ NODE_ENV: 'test', DATA_DIR: disk.folder })
      const mail = {
        to: 'sari@example.com',
        subject: 'Notes',
        text: 'A line of a long mail.\n'.repeat(500_000),
      }
      const letter = { id: 'mail_1', createdAt: systemClock.now(), mail }
      const failed = await writeMail(config, letter).catch((error: unknown) => error)
      expect(toApiError(failed)).toMatchObject({
        status: 503,
        code: 'SERVICE_UNAVAILABLE',
        message:
          "No space left on the service's disk. Ask your administrator to free some, then send the request again",
        headers: { 'retry-after': '1' },
      })
      expect(await readdir(path.join(disk.folder, 'mail'))).toEqual([])
    }))

  test('the disk that a link leads to is measured, and that of the uploads', () =>
    onDisk(64, async (disk) => {
      await onDisk(32, async (other) => {
        await symlink(other.folder, path.join(disk.folder, 'postgres'))
        const disks = await readDisks({ dataDir: disk.folder, databaseUrl: null, s3Endpoint: null })
        expect(disks.map(({ name, state }) => [name, state])).toEqual([
          ['data', 'critical'],
          ['database', 'critical'],
          ['uploads', 'critical'],
        ])
        const [data, database, uploads] = disks.map(({ freeBytes }) => freeBytes / 2 ** 20)
        expect(data).toBeGreaterThan(32)
        expect(uploads).toBe(data)
        expect(database).toBeLessThan(32)
      })
    }))

  test('doctor warns early, and names the disk that a link leads to', () =>
    onDisk(1_500, async (disk) => {
      await onDisk(32, async (other) => {
        await symlink(other.folder, path.join(disk.folder, 'postgres'))
        const config = readConfig({ DATA_DIR: disk.folder })
        expect(await dataDirectory(config)).toMatchObject({
          state: 'warn',
          found: expect.stringMatching(/ has only 1[34]\d\d MiB free$/),
        })
        expect(await otherDisks(config)).toEqual([
          {
            name: 'database disk',
            state: 'fault',
            found: expect.stringMatching(/postgres has only [23]\d MiB free$/),
            remedy: 'Free some space: a full disk stops the database.',
          },
        ])
      })
    }))
})

type Answer = {
  status: number
  // oxlint-disable-next-line typescript/no-explicit-any -- answers are asserted, not typed
  data: any
  message: string
  headers: Headers
}

async function sellOnFullDisk(disk: SmallDisk) {
  const service = await ownService({}, disk.folder)
  let key = ''
  const call = async (
    route: string,
    body?: object,
    headers: Record<string, string> = {},
  ): Promise<Answer> => {
    const response = await fetch(`${service.address()}/api/v1${route}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        ...(key === '' ? {} : { authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(30_000),
    })
    const { data, error } = (await response.json()) as { data: unknown; error: { message: string } | null }
    return { status: response.status, data, message: error?.message ?? '', headers: response.headers }
  }
  try {
    await service.start()
    const login = { email: 'disk@example.com', password: 'a password for a while' }
    const signedUp = await call('/auth/signup', login)
    const cookie = signedUp.headers.get('set-cookie')?.split(';')[0] ?? ''
    key = (await call('/api-keys', { name: 'Till' }, { cookie })).data.key
    const { outlet } = (await call('/outlets', { name: 'Warung' })).data
    const { product } = (await call('/products', { name: 'Teh', variants: [{ price: 10_000 }] })).data
    const items = [{ variantId: product.variants[0].id, quantity: 1 }]
    const sell = (idempotencyKey: string) =>
      call(
        '/sales',
        { outletId: outlet.id, items, payments: [{ method: 'CASH', amount: 10_000 }], note: 'x'.repeat(500) },
        { 'idempotency-key': idempotencyKey },
      )
    const acknowledged = new Map<string, string>()
    const refused: Answer[] = []
    let sent = 0
    const sellOne = async (idempotencyKey = `till-${(sent += 1)}`) => {
      const answer = await sell(idempotencyKey)
      if (answer.status === 201) acknowledged.set(idempotencyKey, answer.data.sale.id)
      else refused.push(answer)
      return answer.status
    }
    expect(await sellOne()).toBe(201)
    expect((await call('/health')).data).toMatchObject({
      checks: { database: 'ok' },
      disks: [{ name: 'data' }, { name: 'database' }, { name: 'uploads' }],
    })

    const url = (await findRunning(service.dataDir)) ?? ''
    await disk.fill()
    const noSpace = () => refused.find(({ message }) => message.startsWith('No space left on the database'))
    await expect
      .poll(async () => (await sellOne()) && noSpace() !== undefined, { ...POLL, interval: 0 })
      .toBe(true)
    expect([noSpace()?.status, noSpace()?.headers.get('retry-after')]).toEqual([503, '1'])
    await expect.poll(async () => (await call('/health')).status, POLL).toBe(503)

    // A write-ahead log that cannot grow ends PostgreSQL, if the sales have not done so before.
    const fillLog = () =>
      query(url, `select pg_logical_emit_message(true, 'kasir', repeat('x', 4000000))`).catch(() => null)
    await expect
      .poll(async () => {
        await fillLog()
        return service.output()
      }, POLL)
      .toContain("No space left on the database's disk (")
    expect(await sellOne('till-during')).toBe(503)
    expect(refused.at(-1)?.message).toMatch(/^No space left on the database's disk/)

    await disk.empty()
    await expect.poll(() => sellOne('till-during'), POLL).toBe(201)
    await expect.poll(async () => (await call('/health')).status, POLL).toBe(200)
    for (const [idempotencyKey, id] of acknowledged) {
      const again = await sell(idempotencyKey)
      expect([again.status, again.data.sale.id, again.headers.get('idempotent-replayed')]).toEqual([
        201,
        id,
        'true',
      ])
    }
    const lines = service.output().split('\n')
    expect(lines.filter((line) => line.startsWith('No space left')).length).toBeLessThanOrEqual(2)
    expect(lines.filter((line) => line === 'PostgreSQL is back')).toHaveLength(1)
    const { db, close } = openDb({ url, poolSize: 1 })
    expect(await brokenInvariants(db)).toEqual([])
    // What was refused under a key is settled by the same key, so every key has one sale.
    for (let n = 1; n <= sent; n += 1) expect(await sellOne(`till-${n}`)).toBe(201)
    const { n } = await db
      .selectFrom('sales')
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow()
    await close()
    expect(n).toBe(sent + 1)
  } finally {
    await service.end()
  }
}

test('2 GiB of free space are enough, less is low, and less than 500 MiB is critical', () => {
  const states = [2 ** 31, 2 ** 31 - 1, 500 * 2 ** 20, 500 * 2 ** 20 - 1, 0].map(spaceState)
  expect(states).toEqual(['ok', 'low', 'low', 'critical', 'critical'])
})
