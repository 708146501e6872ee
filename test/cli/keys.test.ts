import { randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { secretsOf } from '../../src/platform/secrets/secrets.ts'
import { cloneDatabase, type TestDatabase } from '../support/db.ts'
import { refusalOf } from '../support/expect.ts'
import { kasir } from '../support/kasir.ts'
import { withClient } from '../support/plans.ts'
import { type OwnService, ownService } from '../support/service.ts'

const SLOW = 240_000
const one = randomBytes(32)
const two = randomBytes(32)
const idOf = (key: Buffer) => secretsOf(key).keyId

let database: TestDatabase
const services: OwnService[] = []
beforeAll(async () => {
  database = await cloneDatabase()
})
afterAll(async () => {
  for (const service of services) await service.end()
  await database.drop()
})

/** A process on the one database; the database of the tests is one that forgets in a crash. */
const onDatabase = async (secretsKey?: Buffer): Promise<OwnService> => {
  const service = await ownService({
    DATABASE_URL: database.url,
    ALLOW_UNSAFE_DATABASE: '1',
    DEFAULT_TIER: 'business',
    ...(secretsKey ? { SECRETS_KEY: secretsKey.toString('base64') } : {}),
  })
  services.push(service)
  return service
}

// oxlint-disable-next-line typescript/no-explicit-any -- answers are asserted, not typed
type Answer = { status: number; replayed: string | null; data: any; error: any; cookie: string }
const send = async (
  service: OwnService,
  path: string,
  body: object,
  headers: Record<string, string> = {},
): Promise<Answer> => {
  const response = await fetch(`${service.address()}/api/v1${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  const { data, error } = (await response.json()) as { data: unknown; error: unknown }
  const cookie = response.headers.get('set-cookie')?.split(';')[0] ?? ''
  return {
    status: response.status,
    replayed: response.headers.get('idempotent-replayed'),
    data,
    error,
    cookie,
  }
}
const countMails = () =>
  withClient(async (client) => {
    const { rows } = await client.query<{ waiting: number }>('select count(*)::int as waiting from mails')
    return rows[0]?.waiting
  }, database.url)
const endOf = (start: Promise<void>) =>
  start.then(
    () => 'it started',
    (error: Error) => error.message,
  )

test(
  'two processes with one key know each other’s retries; a third with another key does not start; a lost key sells nothing twice',
  async () => {
    const first = await onDatabase(one)
    await first.start()
    const account = { email: 'sari@example.com', password: 'kopi susu gula aren', name: 'Sari' }
    const { cookie } = await send(first, '/auth/signup', account)
    const newKey = { name: 'Till 1' }
    const made = await send(first, '/api-keys', newKey, { cookie, 'idempotency-key': 'key-1' })
    expect(made.status).toBe(201)
    const auth = { authorization: `Bearer ${made.data.key}` }
    const outletId = (await send(first, '/outlets', { name: 'Kemang' }, auth)).data.outlet.id
    const goods = { name: 'Kopi', variants: [{ price: 18_000 }] }
    const variantId = (await send(first, '/products', goods, auth)).data.product.variants[0].id
    const sale = {
      outletId,
      items: [{ variantId, quantity: 1 }],
      payments: [{ method: 'CASH', amount: 18_000 }],
    }
    const till = { ...auth, 'idempotency-key': 'till-1-0001' }
    const sold = await send(first, '/sales', sale, till)
    expect([sold.status, sold.replayed]).toEqual([201, null])
    const soldOnce = async (service: OwnService) => {
      const again = await send(service, '/sales', sale, till)
      expect([again.status, again.replayed, again.data?.sale.id]).toEqual([201, 'true', sold.data.sale.id])
    }

    const second = await onDatabase(one)
    await second.start()
    await soldOnce(second)

    // Waiting mails are sealed with the key as well, and would be counted among the losses.
    await expect.poll(() => countMails()).toBe(0)
    const stranger = await onDatabase(two)
    expect(await endOf(stranger.start())).toBe(
      `the service ended with 1: SECRETS_KEY is the key ${idOf(two)}, but this database is used with the key ${idOf(one)}: set it to what the other processes of this installation have, or unset it and copy their secrets.key to ${stranger.dataDir}/secrets.key. If the old key is gone for good, start once with "kasir serve --new-key". That loses stored replies that show a new API key (1); sales, sign-ins and API keys stay.\n`,
    )
    const keyless = await onDatabase()
    expect(await endOf(keyless.start())).toContain(`${keyless.dataDir}/secrets.key is missing`)
    await expect(readdir(keyless.dataDir)).rejects.toThrow('ENOENT')
    const doctor = await kasir(['doctor'], {
      DATABASE_URL: database.url,
      DATA_DIR: keyless.dataDir,
      SECRETS_KEY: two.toString('base64'),
    })
    expect(doctor.out).toContain(
      `fault  secrets           used with the key ${idOf(one)}, but the one here is ${idOf(two)}\n`,
    )

    await first.end()
    await second.end()
    await stranger.start(['--new-key'])
    await soldOnce(stranger)
    const lost = await send(stranger, '/api-keys', newKey, { cookie, 'idempotency-key': 'key-1' })
    expect(refusalOf(lost)).toMatchObject({ status: 409, code: 'IDEMPOTENCY_KEY_IN_USE' })
    expect(lost.error.message).toContain('succeeded, but its answer held a secret')
    const anew = await send(stranger, '/api-keys', newKey, { cookie, 'idempotency-key': 'key-2' })
    expect(anew.status).toBe(201)
  },
  SLOW,
)
