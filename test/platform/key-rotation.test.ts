import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readHealth } from '../../src/areas/workspace/health/index.ts'
import { rotate } from '../../src/cli/rotate-secrets.ts'
import { makeDeps } from '../../src/main.ts'
import { isKnown } from '../../src/platform/auth/device.ts'
import { hashPin } from '../../src/platform/auth/pins.ts'
import { SEALED } from '../../src/platform/db/tables.ts'
import type { Deps } from '../../src/platform/deps.ts'
import { createKeyring } from '../../src/platform/secrets/keyring.ts'
import {
  adoptKey,
  announceKey,
  finishRotation,
  resealAll,
  retireKey,
} from '../../src/platform/secrets/rotation.ts'
import { type SecretKey, secretsOf } from '../../src/platform/secrets/secrets.ts'
import { startDispatcher } from '../../src/platform/webhooks/dispatcher.ts'
import type { Answer, Api } from '../support/api.ts'
import { openShop } from '../support/build.ts'
import { delegateOf, memberOf } from '../support/clients.ts'
import { done } from '../support/expect.ts'
import { cookieNamed, enrolTill, freshPin, lockedTill, memberWithPin, signedInAt } from '../support/pins.ts'
import { startReceiver } from '../support/receiver.ts'
import { acme, address, alongside, deps, type Neighbour, useService } from '../support/service.ts'

useService({ env: { WEBHOOK_ALLOW_PRIVATE_URLS: '1' } })

const operators: (Deps & { close(): Promise<void> })[] = []
let neighbour: Neighbour
beforeAll(async () => {
  neighbour = await alongside()
})
afterAll(async () => {
  for (const one of operators) await one.close()
  await neighbour.stop()
})

/** What the command has: a process of its own on the same database and data directory. */
const operator = async () => {
  const { config, db } = deps()
  const { rows } = await deps().pool.query<{ name: string }>('select current_database() as name')
  const url = new URL(deps().pool.options.connectionString ?? '')
  expect([db === deps().db, url.pathname]).toEqual([true, `/${rows[0]?.name}`])
  const made = await makeDeps({ config, url: url.href, log: deps().log })
  operators.push(made)
  return made
}
const everywhere = async (work: (one: Deps) => Promise<unknown>) => {
  for (const one of [deps(), neighbour.deps, ...operators]) await work(one)
}
const looking = () => everywhere((one) => one.secrets.refresh())
/** The command, with every process looking as soon as it waits for them, so that nobody waits long. */
const rotateBy = (one: Deps, given: SecretKey | null, { forget }: { forget: boolean }) =>
  rotate(one, given, {
    forget,
    waitMs: 500,
    say: (line) => {
      if (line.startsWith('Waiting')) void looking()
    },
  })
const fileKey = async () =>
  secretsOf(Buffer.from(await readFile(path.join(deps().config.dataDir, 'secrets.key'), 'utf8'), 'base64'))
/** Sealed texts by the key that sealed them. */
async function sealedBy(): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const { table, column } of SEALED) {
    const { rows } = await deps().pool.query<{ id: string }>(
      `select split_part(${column}, '.', 3) as id from ${table} where ${column} like 'sealed.%'`,
    )
    for (const { id } of rows) counts[id] = (counts[id] ?? 0) + 1
  }
  return counts
}
test('under load a rotation turns no replay away and fails no request, and every webhook verifies', async () => {
  const operating = await operator()
  const receiver = await startReceiver()
  const { secret } = done(await acme().post('/webhook-subscriptions', { url: receiver.url }))
  const dispatchers = [deps(), neighbour.deps].map((one) => startDispatcher({ ...one, random: () => 0.5 }))
  const shop = await openShop(acme())
  const owner = await memberOf(acme(), 'OWNER')
  const { api: assistant } = await delegateOf(acme(), owner.id, 'review')
  const [here, there] = [acme(), neighbour.as(acme().workspace.key)]
  const before = deps().secrets.keyId

  const first = new Map<string, Answer>()
  const troubles: string[] = []
  let stopped = false
  let calls = 0
  const ask = async (api: Api, key: string, route: string, body: object) => {
    const answer = await api.post(route, body, { idempotencyKey: key })
    calls += 1
    const known = first.get(key)
    first.set(key, known ?? answer)
    const same = known === undefined || known.text.includes(JSON.stringify(answer.data).slice(1, -1))
    if (answer.status !== 201 || !same) troubles.push(`${route} ${key}: ${answer.status} ${answer.text}`)
  }
  const till = async (name: string, one: Api, other: Api) => {
    const items = [{ variantId: shop.latte, quantity: 1 }]
    for (let n = 0; !stopped; n += 1) {
      await ask(one, `${name}-sale-${n}`, '/sales', { outletId: shop.outletId, items })
      // Sent again to the other process, and some of the oldest once more.
      for (const again of [n, Math.floor(n / 2), 0]) {
        await ask(other, `${name}-sale-${again}`, '/sales', { outletId: shop.outletId, items })
        // A plan has a hundred keys: every request with one is a replay sooner or later.
        const key = `${name}-key-${Math.floor(again / 10) % 40}`
        await ask(other, key, '/api-keys', { name: key })
      }
    }
  }
  const tills = [till('one', here, there), till('two', there, here)]
  await expect.poll(() => calls, { timeout: 30_000 }).toBeGreaterThan(40)
  await rotate(operating, null, { forget: false, waitMs: 6_000, say: () => {} })
  const after = operating.secrets.keyId
  const midway = calls
  await expect.poll(() => calls, { timeout: 30_000 }).toBeGreaterThan(midway + 40)
  expect((await assistant.get('/outlets')).status).toBe(200)
  await rotate(operating, null, { forget: true, waitMs: 6_000, say: () => {} })
  stopped = true
  await Promise.all(tills)
  expect([troubles, before === after]).toEqual([[], false])
  expect([deps().secrets.keyId, neighbour.deps.secrets.keyId, (await fileKey()).keyId]).toEqual([
    after,
    after,
    after,
  ])
  expect(Object.keys(await sealedBy())).toEqual([after])

  const sales = [...first.keys()].filter((key) => key.includes('sale')).length
  await expect
    .poll(() => new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size, {
      timeout: 60_000,
    })
    .toBeGreaterThanOrEqual(sales)
  for (const { body, headers } of receiver.received)
    new Webhook(secret).verify(body, headers as Record<string, string>)
  for (const one of dispatchers) await one.stop()
  receiver.stop()
})

test('a token, a known browser and a process from before hold until the old key is forgotten, the browser after it', async () => {
  const operating = await operator()
  const member = { accountId: acme().workspace.accountId, id: 'usr_1', passwordHash: 'hash' }
  const mark = deps()
    .secrets.sign('known browser', `browser-name ${member.accountId} usr_1 hash`)
    .slice(0, 22)
  const browser = { name: 'browser-name', marks: [mark] }
  const owner = await memberOf(acme(), 'OWNER')
  const { token } = await delegateOf(acme(), owner.id, 'review')
  const ask = async (address: string) =>
    (await fetch(`${address}/api/v1/outlets`, { headers: { authorization: `Delegation ${token}` } })).status
  const old = await fileKey()

  await rotateBy(operating, null, { forget: false })
  // A process that has not looked since, and one that starts with the old key.
  expect(await ask(neighbour.address)).toBe(200)
  await writeFile(path.join(deps().config.dataDir, 'secrets.key'), old.text())
  const late = await operator()
  expect([late.secrets.keyId, (await fileKey()).keyId]).toEqual([
    operating.secrets.keyId,
    operating.secrets.keyId,
  ])
  const { token: newer } = await delegateOf({ workspace: acme().workspace }, owner.id, 'review')
  expect(newer).not.toBe(token)

  await rotateBy(operating, null, { forget: true })
  await looking()
  expect(await ask((await alongsideOnce()).address)).toBe(401)
  await everywhere(async (one) => expect(isKnown(one, browser, member)).toBe(true))
  // Also once the key that keeps that mark was itself replaced.
  await rotateBy(operating, null, { forget: true })
  await looking()
  await everywhere(async (one) => expect(isKnown(one, browser, member)).toBe(true))
  expect(isKnown(operating, { ...browser, name: 'other-name' }, member)).toBe(false)
  await writeFile(path.join(deps().config.dataDir, 'secrets.key'), old.text())
  await expect(operator()).rejects.toThrow('but this database is used with the key')
  await writeFile(path.join(deps().config.dataDir, 'secrets.key'), operating.secrets.current().text())
})
const alongsideOnce = async () => {
  await neighbour.stop()
  neighbour = await alongside()
  return neighbour
}

/** The stages of a rotation, each of which may be the last that a killed command came to. */
const STAGES = ['nothing', 'announced', 'adopted', 'half sealed', 'sealed', 'retired'] as const
test.each(STAGES)(
  'a rotation killed when it had %s is ended by the next runs, two at once',
  async (stage) => {
    const keys = await Promise.all(
      ['a', 'b', 'c'].map((name) =>
        acme().post('/api-keys', { name }, { idempotencyKey: `${stage.replace(' ', '-')}-${name}` }),
      ),
    )
    const killed = await operator()
    const reached = STAGES.indexOf(stage)
    const before = killed.secrets.current()
    const rotation = reached >= 1 ? await announceKey(killed, before, null) : null
    if (rotation && reached >= 2) await adoptKey(killed, rotation)
    if (rotation && reached === 3) {
      const cut = new AbortController()
      await resealAll(killed, rotation, { stop: cut.signal, onPage: () => cut.abort() })
    }
    if (rotation && reached >= 4) await resealAll(killed, rotation)
    if (rotation && reached >= 5) await retireKey(killed, rotation)
    const two = [await operator(), await operator()]
    const current = async () => {
      await looking()
      return new Set([deps(), neighbour.deps, ...two].map((one) => one.secrets.keyId))
    }
    await Promise.all(two.map((one) => rotateBy(one, null, { forget: false })))
    const ids = await current()
    await rotateBy(killed, null, { forget: true })
    expect(await current()).toEqual(ids)
    const [id = ''] = ids
    expect([ids.size, ids.has(before.keyId), rotation?.to.keyId ?? id]).toEqual([1, false, id])
    expect(Object.keys(await sealedBy())).toEqual([...ids])
    const rows = await deps().db.selectFrom('secretsKeys').select('name').execute()
    expect(rows.filter(({ name }) => !name.startsWith('signed '))).toEqual([{ name: 'current' }])
    for (const [n, name] of ['a', 'b', 'c'].entries()) {
      const again = await acme().post(
        '/api-keys',
        { name },
        { idempotencyKey: `${stage.replace(' ', '-')}-${name}` },
      )
      expect([again.status, again.data]).toEqual([201, keys[n]?.data])
    }
  },
)

test('a rotation whose command never came back is ended by the service, the old key an hour later', async () => {
  const killed = await operator()
  await acme().post('/api-keys', { name: 'late' }, { idempotencyKey: 'late-key' })
  const rotation = await announceKey(killed, killed.secrets.current(), null)
  await finishRotation(deps())
  expect(deps().secrets.keyId).toBe(rotation.from.keyId)
  await adoptKey(killed, rotation)
  await deps().secrets.refresh()
  await finishRotation(deps())
  expect(Object.keys(await sealedBy())).toEqual([rotation.to.keyId])
  const later = {
    ...deps(),
    clock: { ...deps().clock, now: () => new Date(Date.now() + 3_700_000).toISOString() },
  }
  await finishRotation(later)
  const rows = await deps()
    .db.selectFrom('secretsKeys')
    .select('keyId')
    .where('name', '=', 'previous')
    .execute()
  expect(rows).toEqual([])
})

test('a key that was replaced, came back and is replaced again is forgotten again, and its browsers stay known', async () => {
  const operating = await operator()
  const member = { accountId: acme().workspace.accountId, id: 'usr_1', passwordHash: 'hash' }
  const text = `browser-name ${member.accountId} usr_1 hash`
  const first = operating.secrets.current()
  const mark = operating.secrets.sign('known browser', text).slice(0, 22)
  for (const next of [secretsOf(randomBytes(32)), first, secretsOf(randomBytes(32))])
    await rotateBy(operating, next, { forget: true })
  const rows = await deps().db.selectFrom('secretsKeys').select('name').execute()
  expect(rows.filter(({ name }) => !name.startsWith('signed '))).toEqual([{ name: 'current' }])
  await looking()
  for (const one of [deps(), operating])
    expect(isKnown(one, { name: 'browser-name', marks: [mark] }, member)).toBe(true)
})

test('a till, its PIN sessions and its PINs outlive a rotation that forgets the old key, in every process', async () => {
  const operating = await operator()
  await alongsideOnce()
  const till = await enrolTill(acme())
  const member = await memberWithPin(acme(), 'CASHIER')
  const inside = await signedInAt(till, member)
  const taken = await memberOf(acme(), 'CASHIER')
  await rotateBy(operating, secretsOf(randomBytes(32)), { forget: true })
  await looking()
  expect(await sealedBy()).toEqual({ [operating.secrets.keyId]: expect.any(Number) })
  expect((await inside.get('/products')).status).toBe(200)
  for (const at of [address(), neighbour.address]) {
    const entering = { memberId: member.id, pin: member.pin }
    const answer = await lockedTill(till).post(`${at}/api/v1/auth/pin`, entering)
    expect([answer.status, cookieNamed(answer, 'kasir_till') === till.cookie]).toEqual([200, false])
    const wrong = { ...entering, pin: '0000' }
    expect((await lockedTill(till).post(`${at}/api/v1/auth/pin`, wrong)).status).toBe(401)
  }
  // PINs are still compared with each other.
  expect((await acme().patch(`/members/${taken.id}`, { pin: member.pin })).status).toBe(409)
  expect((await acme().patch(`/members/${taken.id}`, { pin: freshPin() })).status).toBe(200)
})

test('where SECRETS_KEY is set the new key must be given, and a start with the old one says so', async () => {
  const { config } = deps()
  const own = { ...(await operator()), config: { ...config, secretsKey: 'set' } }
  await expect(rotateBy(own, null, { forget: false })).rejects.toThrow('--key-file next.key')
  await expect(rotateBy(own, own.secrets.current(), { forget: false })).rejects.toThrow('the key in use')
  const next = secretsOf(randomBytes(32))
  await rotateBy(own, next, { forget: true })
  expect(own.secrets.keyId).toBe(next.keyId)
})

/** Hashes and marks of secrets, the last characters that people know them by, and texts that only sound like one. */
const NO_SECRET: Readonly<Record<string, string>> = {
  'api_keys.hash': 'SHA-256',
  'api_keys.last4': 'shown',
  'api_keys.prefix': 'the same for all',
  'approvals.token_hash': 'SHA-256',
  'idempotency_keys.key': 'chosen by clients',
  'gift_card_misses.id': 'an id',
  'mailed_links.token_hash': 'SHA-256',
  'member_pins.pin_hash': 'argon2id under a key of the workspace',
  'members.invite_hash': 'SHA-256',
  'members.password_hash': 'argon2id',
  'operator_tokens.token_hash': 'SHA-256',
  'pixel_settings.social_capi_access_token_last4': 'shown',
  'recovery_codes.code_hash': 'hashed',
  'secrets_keys.check_value': 'tells nothing of the key',
  'secrets_keys.key_id': 'tells nothing of the key',
  'secrets_keys.sealed': 'the keys themselves; a rotation seals it by its own steps',
  'sessions.token_hash': 'SHA-256',
  'receipt_links.token_hash': 'SHA-256',
  'tills.secret_hash': 'SHA-256',
  'webhook_subscriptions.secret_last4': 'shown',
}
test('every column whose name promises a secret is in the list of sealed ones, or is known to hold none', async () => {
  const { rows } = await deps().pool.query<{ name: string }>(
    `select table_name || '.' || column_name as name from information_schema.columns
      where table_schema = 'public' and data_type in ('text', 'bytea', 'jsonb', 'character varying')
        and column_name ~ '(secret|token|passw|credential|private|cipher|sealed|_enc$|totp|hash|api_?key|partner_key|check_value|key_id)'
      order by 1`,
  )
  const sealed = new Set(SEALED.map(({ table, column }) => `${table}.${column}`))
  expect(
    rows.map(({ name }) => name).filter((name) => !sealed.has(name as never) && !(name in NO_SECRET)),
  ).toEqual([])
})

test('no column but those of the list holds a sealed text', async () => {
  const { rows } = await deps().pool.query<{ table: string; column: string }>(
    `select table_name as "table", column_name as "column" from information_schema.columns
      where table_schema = 'public' and data_type in ('text', 'jsonb')`,
  )
  const found: string[] = []
  for (const { table, column } of rows) {
    const { rowCount } = await deps().pool.query(
      `select from ${table} where ${column}::text like '%sealed.v_.%' limit 1`,
    )
    if (rowCount) found.push(`${table}.${column}`)
  }
  const known = new Set([...SEALED.map(({ table, column }) => `${table}.${column}`), 'secrets_keys.sealed'])
  expect(found.filter((name) => !known.has(name))).toEqual([])
  expect(found).toContain('idempotency_keys.body')
})

test('a process that missed a rotation refuses what needs the key with 503, removes no PIN and says that it is down', async () => {
  const { accountId } = acme().workspace
  await memberWithPin(acme(), 'CASHIER')
  const pins = () => deps().db.selectFrom('memberPins').selectAll().orderBy('memberId').execute()
  const before = await pins()
  const lost: string[] = []
  const frozen = createKeyring(deps().secrets.current(), {
    db: deps().db,
    clock: deps().clock,
    onCurrent: () => {},
    onLost: (keyId) => lost.push(keyId),
  })
  const place = { table: 'pin_keys', column: 'key', accountId, row: 'pinKey' } as const
  await rotateBy(await operator(), null, { forget: true })
  const tools = { ...deps(), secrets: frozen }
  await expect(hashPin(tools, accountId, '8642', deps().clock.now())).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
  })
  expect([lost, await pins()]).toEqual([[deps().secrets.keyId], before])
  expect(() => frozen.seal('x', place)).toThrow('needs a restart')
  expect(() => frozen.sign('till', 'x')).toThrow('needs a restart')
  expect([(await readHealth(tools)).status, (await readHealth(deps())).status]).toEqual(['down', 'ok'])
})
