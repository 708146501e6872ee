import { createHash, createHmac, randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createApp } from '../../src/app.ts'
import { newId } from '../../src/core/ids.ts'
import { expires } from '../../src/jobs.ts'
import { manualClock, systemClock } from '../../src/platform/clock.ts'
import type { Route } from '../../src/platform/http/route.ts'
import { sweep } from '../../src/platform/jobs/sweep.ts'
import { ringOf } from '../../src/platform/secrets/keyring.ts'
import { secretsOf } from '../../src/platform/secrets/secrets.ts'
import type { Answer } from '../support/api.ts'
import { makeOutlet, openBill } from '../support/build.ts'
import { movableDatabaseClock } from '../support/database-clock.ts'
import { cloneDatabase } from '../support/db.ts'
import { refusalOf } from '../support/expect.ts'
import { acme, as, deps, globex, startHarness, useService } from '../support/service.ts'
import { routes } from './local.ts'

import { hasProbe, probeFor } from './probes/index.ts'
import { at, idPlaces, nameOf, type Probe, send, unknownLike, withAt } from './request.ts'
import { fieldsOf, type Shape } from './schema-fields.ts'
import { snapshot } from './snapshot.ts'

useService()

const writes = routes.filter((row) => (row.access === 'write' || row.access === 'self') && hasProbe(row))
const build = (row: Route, api = acme()) => probeFor(row, api)
const newKey = () => newId('event')
const dataOf = (answer: Answer) => answer.text.slice(0, answer.text.lastIndexOf('"meta":'))

/** The same request with another free text, when it has one: a valid request that is not the first. */
function reworded(row: Route, probe: Probe): Probe | null {
  const text = fieldsOf((row.body ?? {}) as Shape, ['body']).find(
    ({ place, shape }) =>
      place.length === 2 &&
      ['name', 'note', 'reason', 'label'].includes(String(place[1])) &&
      shape.type === 'string' &&
      !('enum' in shape),
  )
  return text ? withAt(probe, text.place, 'Another text') : null
}

/** The same request, refused: with an id of nobody, else with a body of the wrong shape. */
function refused(probe: Probe): Probe {
  const [place] = idPlaces(probe)
  if (place) return withAt(probe, place, unknownLike(String(at(probe, place))))
  return {
    ...probe,
    body: Object.fromEntries(Object.keys(probe.body ?? {}).map((key) => [key, { wrong: true }])),
  }
}

describe.each(writes.map((row) => [nameOf(row), row] as const))('%s', (_, row) => {
  test('a repeat with its key answers the first answer to the byte and writes nothing more', async () => {
    const probe = await build(row)
    const idempotencyKey = newKey()
    const first = await send(acme(), row, probe, { idempotencyKey })
    expect([first.text, first.status < 300]).toEqual([first.text, true])
    expect(first.headers.get('idempotent-replayed')).toBeNull()
    const before = await snapshot(deps().pool, acme())
    const again = await send(acme(), row, probe, { idempotencyKey })
    expect([again.status, dataOf(again)]).toEqual([first.status, dataOf(first)])
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    const quoted = await send(acme(), row, probe, { idempotencyKey: `"${idempotencyKey}"` })
    expect(dataOf(quoted)).toBe(dataOf(first))
    expect(await snapshot(deps().pool, acme())).toEqual(before)
  })

  test('its key refuses another body, another path and another method with 409', async () => {
    const probe = await build(row)
    const idempotencyKey = newKey()
    await send(acme(), row, probe, { idempotencyKey })
    const before = await snapshot(deps().pool, acme())
    const others = [acme().post('/outlets', { name: idempotencyKey }, { idempotencyKey })]
    const other = reworded(row, probe)
    if (other) others.push(send(acme(), row, other, { idempotencyKey }))
    for (const answer of await Promise.all(others)) {
      expect(refusalOf(answer)).toMatchObject({ status: 409, code: 'IDEMPOTENCY_KEY_IN_USE' })
    }
    expect(await snapshot(deps().pool, acme())).toEqual(before)
  })

  test('a refused request leaves its key free', async () => {
    const probe = await build(row)
    const idempotencyKey = newKey()
    const no = await send(acme(), row, refused(probe), { idempotencyKey })
    if (no.status < 300) return
    expect(no.status).toBeLessThan(500)
    const yes = await send(acme(), row, probe, { idempotencyKey })
    expect([yes.text, yes.status < 300]).toEqual([yes.text, true])
    expect(yes.headers.get('idempotent-replayed')).toBeNull()
  })

  test('two workspaces may use the same key', async () => {
    const idempotencyKey = newKey()
    const mine = await send(acme(), row, await build(row), { idempotencyKey })
    const theirs = await send(globex(), row, await build(row, globex()), { idempotencyKey })
    expect([theirs.text, theirs.status]).toEqual([theirs.text, mine.status])
    expect(theirs.headers.get('idempotent-replayed')).toBeNull()
  })
})

/** The strings of an answer, by where they stand. */
const stringsIn = (value: unknown, place = ''): [string, string][] =>
  typeof value === 'string'
    ? [[place, value]]
    : Object.entries(value ?? {}).flatMap(([key, part]) => stringsIn(part, `${place}/${key}`))

const SECRETS: Record<string, readonly string[]> = {
  'POST /api-keys': ['/key'],
  'POST /approvals': ['/token'],
  'POST /webhook-subscriptions': ['/secret'],
  'POST /gift-cards': ['/giftCard/code'],
  'POST /gift-cards/{id}/void': ['/giftCard/code'],
  'POST /sales/{id}/receipt-link': ['/url'],
  'POST /sales/{id}/refund': ['/giftCard/code'],
}
const secretive = routes.filter((row) => row.secret !== undefined)

test('every answer that is stored sealed says how it is masked for another actor', () => {
  expect(secretive.map(nameOf).sort()).toEqual(Object.keys(SECRETS).sort())
})

test.each(secretive.map((row) => [nameOf(row), row] as const))(
  '%s shows its secret again to its first caller alone',
  async (name, row) => {
    const probe = await build(row)
    const made =
      name === 'POST /sales/{id}/refund' ? { ...probe, body: { refundToStoreCredit: true } } : probe
    const idempotencyKey = newKey()
    const other = as((await acme().post('/api-keys', { name: 'Another till' })).data.key)
    const first = await send(acme(), row, made, { idempotencyKey })
    const replay = await send(other, row, made, { idempotencyKey })
    expect([replay.status, replay.headers.get('idempotent-replayed')]).toEqual([first.status, 'true'])
    const shown = new Map(stringsIn(first.data))
    const changed = stringsIn(replay.data).filter(([place, text]) => shown.get(place) !== text)
    expect(changed).toEqual(
      (SECRETS[name] ?? []).map((place) => [place, `****${shown.get(place)?.slice(-4)}`]),
    )
    expect(dataOf(await send(acme(), row, made, { idempotencyKey }))).toBe(dataOf(first))
  },
)

test('50 sends of one key at once have one effect and 50 equal answers', async () => {
  const key = newKey()
  const body = { name: `Once ${key}` }
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => acme().post('/outlets', body, { idempotencyKey: key })),
  )
  expect(new Set(answers.map((answer) => `${answer.status} ${dataOf(answer)}`)).size).toBe(1)
  expect(answers.filter((answer) => answer.headers.get('idempotent-replayed') === null)).toHaveLength(1)
  const { outlets } = (await acme().get('/outlets')).data
  expect(outlets.filter((outlet: { name: string }) => outlet.name === body.name)).toHaveLength(1)
})

test.each([
  ['', 'empty'],
  ['a'.repeat(256), '256 characters'],
  ['two words', 'a blank'],
  ['tab\tbed', 'a tab'],
  ['é', 'no ASCII'],
])('the key %j (%s) is 400 on a write and on the one that commits by itself', async (idempotencyKey) => {
  for (const path of ['/outlets', '/sales']) {
    const row = writes.find((write) => nameOf(write) === `POST ${path}`)
    if (!row) throw new Error(`POST ${path} is not served`)
    const answer = await send(acme(), row, await build(row), { idempotencyKey })
    expect(refusalOf(answer)).toMatchObject({ status: 400, param: 'Idempotency-Key' })
  }
})

test('a client that sends its fields in another order sends the same request', async () => {
  const idempotencyKey = newKey()
  const first = await acme().post('/outlets', { name: 'Order', phone: '021' }, { idempotencyKey })
  const second = await acme().post('/outlets', { phone: '021', name: 'Order' }, { idempotencyKey })
  expect([second.status, dataOf(second)]).toEqual([201, dataOf(first)])
})

test('a clock of the service that jumps ahead by two days forgets no key', async () => {
  const clock = manualClock(systemClock.now())
  const { harness, stop } = await startHarness({ clock })
  try {
    const outletId = await makeOutlet(harness.acme)
    const bill = await openBill(harness.acme, { outletId })
    const writes = [
      ['/outlets', { name: 'Once' }],
      ['/sales', { outletId, items: bill.items.map(({ variantId }) => ({ variantId, quantity: 1 })) }],
      [`/sales/${bill.id}/payments`, { method: 'CASH', amount: 1_000 }],
    ] as const
    const keyed = writes.map(([path, body]) => ({ path, body, options: { idempotencyKey: newKey() } }))
    const send = () =>
      Promise.all(keyed.map(({ path, body, options }) => harness.acme.post(path, body, options)))
    const first = await send()
    clock.advance(48 * 3_600_000)
    const again = await send()
    expect(again.map(({ status, data }) => ({ status, data }))).toEqual(
      first.map(({ status, data }) => ({ status, data })),
    )
    expect(again.map(({ headers }) => headers.get('idempotent-replayed'))).toEqual(['true', 'true', 'true'])
  } finally {
    await stop()
  }
})

test('a key is forgotten after 24 hours and not before', async () => {
  const clock = manualClock('2099-03-21T03:00:00.000Z')
  const database = await cloneDatabase()
  const databaseClock = await movableDatabaseClock(database)
  const { harness, stop } = await startHarness({ clock, database })
  try {
    const options = { idempotencyKey: newKey() }
    const first = await harness.acme.post('/outlets', { name: 'Day one' }, options)
    // The database's clock is ahead, so the window ends by the service's.
    await databaseClock.moveBy(clock.ms() - systemClock.ms() + 48 * 3_600_000)
    clock.advance(24 * 3_600_000 - 1_000)
    const replay = await harness.acme.post('/outlets', { name: 'Day one' }, options)
    expect(replay.data).toEqual(first.data)
    clock.advance(2_000)
    const anew = await harness.acme.post('/outlets', { name: 'Day one' }, options)
    expect(anew.data.outlet.id).not.toBe(first.data.outlet.id)
    const other = await harness.acme.post('/outlets', { name: 'Other' }, options)
    expect(refusalOf(other)).toMatchObject({ status: 409, code: 'IDEMPOTENCY_KEY_IN_USE' })
  } finally {
    await stop()
  }
})

test('a retry after a slow clock was set by two days gets the first answer: of a sale, a payment and any write', async () => {
  const [clock, idempotencyKey] = [manualClock(systemClock.now()), 'behind']
  clock.advance(-48 * 3_600_000)
  const { harness, stop } = await startHarness({ clock })
  try {
    const api = harness.acme
    const outletId = (await api.post('/outlets', { name: 'Senen' })).data.outlet.id
    const made = await api.post('/products', { name: 'Kopi', variants: [{ price: 18_000 }] })
    const items = [{ variantId: made.data.product.variants[0].id, quantity: 1 }]
    const payments = [{ method: 'CASH', amount: 18_000 }]
    const bill = (await api.post('/sales', { outletId, items, status: 'PARKED' })).data.sale.id
    const requests = [
      ['/sales', { outletId, items, payments }],
      [`/sales/${bill}/payments`, payments[0]],
      ['/outlets', { name: 'Blok M' }],
    ] as const
    const sendAll = async () => {
      const answers = []
      for (const [path, body] of requests)
        answers.push(await api.post(path, body, { idempotencyKey: `${idempotencyKey}${path}` }))
      return answers
    }
    const first = await sendAll()
    expect(first.map(({ status }) => status)).toEqual([201, 200, 201])
    clock.advance(48 * 3_600_000)
    await sweep(harness.deps, expires)
    expect((await sendAll()).map(dataOf)).toEqual(first.map(dataOf))
  } finally {
    await stop()
  }
})

test('a stored reply holds no key that was shown once', async () => {
  const idempotencyKey = newKey()
  const made = await acme().post('/api-keys', { name: 'Till' }, { idempotencyKey })
  const rows = await deps().db.selectFrom('idempotencyKeys').select('body').execute()
  expect(made.data.key).toMatch(/^kasir_sk_/)
  expect(rows.filter((row) => row.body.includes('kasir_sk_'))).toEqual([])
})

const storedOf = async (key: string) =>
  (
    await deps()
      .db.selectFrom('idempotencyKeys')
      .select(['fingerprint', 'body'])
      .where('accountId', '=', acme().workspace.accountId)
      .where('key', '=', key)
      .executeTakeFirstOrThrow()
  ).fingerprint

/** The SHA-256 that the fingerprint of a request is, in base64url. */
const sha256Of = (text: string) => createHash('sha256').update(text).digest('base64url')

test('a process with another secret knows a retry, of a write and of the sale that commits by itself', async () => {
  const outlet = (await acme().post('/outlets', { name: 'Two processes' })).data.outlet.id
  const { product } = (await acme().post('/products', { name: 'Kopi', variants: [{ price: 18_000 }] })).data
  const items = [{ variantId: product.variants[0].id, quantity: 1 }]
  const sale = { outletId: outlet, items, payments: [{ method: 'CASH', amount: 18_000 }] }
  const [saleKey, adjustKey] = [newKey(), newKey()]
  const adjust = { outletId: outlet, variantId: product.variants[0].id, qtyDelta: 5 }
  const sold = await acme().post('/sales', sale, { idempotencyKey: saleKey })
  const adjusted = await acme().post('/inventory/adjust', adjust, { idempotencyKey: adjustKey })
  expect([sold.status, adjusted.status]).toEqual([201, 200])

  const other = await createApp({ ...deps(), secrets: ringOf(secretsOf(randomBytes(32))) })
  try {
    const address = await other.listen({ host: '127.0.0.1', port: 0 })
    const send = (path: string, body: object, key: string) =>
      acme().raw('POST', `${address}/api/v1${path}`, JSON.stringify(body), {
        'content-type': 'application/json',
        'idempotency-key': key,
      })
    const again = await send('/sales', sale, saleKey)
    expect([again.status, again.data?.sale.id]).toEqual([201, sold.data.sale.id])
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    const twice = await send('/inventory/adjust', adjust, adjustKey)
    expect([twice.status, twice.data?.level.quantity]).toEqual([200, 4])
  } finally {
    await other.close()
  }
})

test('the fingerprint is the SHA-256 of method, path and the body in order, and no process goes into it', async () => {
  const key = newKey()
  await acme().post('/outlets', { phone: '021', name: 'Sari' }, { idempotencyKey: key })
  expect(await storedOf(key)).toBe(sha256Of('POST /api/v1/outlets\n{"name":"Sari","phone":"021"}'))
})

test('a password goes into no fingerprint: nobody can guess at it there', async () => {
  const key = newKey()
  const member = { email: `${key}@example.com`, name: 'Siti', role: 'CASHIER', password: 'kopi susu' }
  const made = await acme().post('/members', member, { idempotencyKey: key })
  expect(made.status).toBe(201)
  expect(await storedOf(key)).toBe(
    sha256Of(`POST /api/v1/members\n{"email":"${key}@example.com","name":"Siti","role":"CASHIER"}`),
  )
})

test('a key that was used before the fingerprints were plain still finds its answer, and for no other request', async () => {
  const secretsKey = Buffer.alloc(32, 9)
  const { harness, stop } = await startHarness({ env: { SECRETS_KEY: secretsKey.toString('base64') } })
  try {
    const { acme: api, deps: own } = harness
    const sorted = sha256Of(
      'POST /api/v1/members\n{"email":"siti@example.com","name":"Siti","password":"kopi susu","role":"CASHIER"}',
    )
    const first = {
      id: 'usr_first',
      email: 'siti@example.com',
      name: 'Siti',
      role: 'CASHIER',
      status: 'ACTIVE',
      inviteExpiresAt: null,
      createdAt: own.clock.now(),
      updatedAt: own.clock.now(),
    }
    const values = {
      accountId: api.workspace.accountId,
      key: 'before',
      fingerprint: createHmac('sha256', secretsKey).update(sorted).digest('base64url'),
      status: 201,
      body: JSON.stringify({ member: first }),
      createdAt: own.clock.now(),
    }
    await own.db.insertInto('idempotencyKeys').values(values).execute()
    const member = { email: 'siti@example.com', name: 'Siti', role: 'CASHIER', password: 'kopi susu' }
    const again = await api.post('/members', member, { idempotencyKey: 'before' })
    expect([again.status, again.data?.member]).toEqual([201, first])
    const other = await api.post('/members', { ...member, name: 'Sita' }, { idempotencyKey: 'before' })
    expect(refusalOf(other)).toMatchObject({ status: 409, code: 'IDEMPOTENCY_KEY_IN_USE' })
  } finally {
    await stop()
  }
})

test('a key of another request says to look before selling again, and since when the key is used', async () => {
  const clock = manualClock('2099-11-21T03:00:00.000Z')
  const { harness, stop } = await startHarness({ clock })
  try {
    const options = { idempotencyKey: 'till-1-0001' }
    await harness.acme.post('/outlets', { name: 'Kemang' }, options)
    clock.advance(60_000)
    const { error } = await harness.acme.post('/outlets', { name: 'Senopati' }, options)
    expect(error).toEqual({
      code: 'IDEMPOTENCY_KEY_IN_USE',
      message:
        'A different request with this Idempotency-Key has already succeeded. If yours was meant to be the same one, look up what that one created (the sale, the payment) before you send it again; use a new key only for a new request',
      details: { usedAt: '2099-11-21T03:00:00.000Z' },
    })
  } finally {
    await stop()
  }
})

test('a read ignores the header', async () => {
  const answer = await acme().get('/outlets', { headers: { 'idempotency-key': 'x'.repeat(300) } })
  expect(answer.status).toBe(200)
})
