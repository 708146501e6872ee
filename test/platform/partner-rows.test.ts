import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { Type } from 'typebox'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ApiError, conflict } from '../../src/core/errors.ts'
import { newId } from '../../src/core/ids.ts'
import type { Tx } from '../../src/platform/db/open.ts'
import { route } from '../../src/platform/http/route.ts'
import { openOutgoing } from '../../src/platform/outgoing/outgoing.ts'
import { deadlineIn, type Forward } from '../../src/platform/partners/forward.ts'
import type { Scope } from '../../src/platform/scope.ts'
import { expectUnsaved, refusalOf } from '../support/expect.ts'
import { type Harness, startHarness } from '../support/service.ts'

/** A partner on loopback, which does at most once what it is asked under one key, as the contract has partners do. */
type Asked = { key: string | undefined; requestId: string | undefined; body: string }
let partner: Server
let base: string
let asked: Asked[] = []
/** What it made, by key; a request without one makes something every time. */
let made = new Map<string, string>()
type Answers = (request: Asked, made: string) => Promise<{ status: number; body: string } | 'never'>
const fine: Answers = async (_, id) => ({ status: 201, body: JSON.stringify({ data: { id } }) })
let answers = fine

const bytesOf = async (request: IncomingMessage) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}
const one = (header: string | string[] | undefined) => (Array.isArray(header) ? header[0] : header)

let harness: Harness
let stop: () => Promise<void>
let crashes = 0
/** Whether the database refuses what is written of the answer. */
let fails = false
/** Whether the final transaction refuses what the partner has done. */
let refuses = false
let misuse: 'none' | 'call in a transaction' | 'transaction in a call' | 'call in the last transaction' =
  'none'

const outgoing = openOutgoing({ allowPrivate: true })

async function charge(forward: Forward, amount: number): Promise<{ id: string }> {
  const { status, body } = await outgoing.send({
    method: 'POST',
    url: `${base}/v1/charges`,
    headers: { ...forward.headers, 'content-type': 'application/json' },
    body: JSON.stringify({ amount }),
    deadlineMs: deadlineIn(forward, 1_500),
    maxBytes: 10_000,
  })
  if (status === 422)
    throw new ApiError('VALIDATION_ERROR', 'The partner refuses the amount', { param: 'amount' })
  if (status > 299) throw new Error(`the partner answered ${status}`)
  return (JSON.parse(body.toString()) as { data: { id: string } }).data
}

const insert = (tx: Tx, { accountId, now }: Scope, name: string) =>
  tx
    .insertInto('categories')
    .values({ accountId, id: newId('category'), name, station: null, createdAt: now, updatedAt: now })
    .execute()

const charging = route({
  name: 'charges.create',
  method: 'POST',
  path: '/charges',
  area: 'charges',
  summary: 'Charge by a partner',
  access: 'partner',
  delegation: 'books',
  role: 'CASHIER',
  status: 201,
  body: Type.Object({ amount: Type.Integer({ minimum: 1, maximum: 1_000 }) }, { title: 'Charge' }),
  returns: Type.Object({ id: Type.String() }),
  handle: async ({ scope, body, partner: means }) => {
    if (misuse === 'call in a transaction')
      await means.inTx(() => means.call((forward) => charge(forward, 1)))
    if (misuse === 'transaction in a call') await means.call(() => means.inTx(async () => ({ id: 'x' })))
    const { id } = await means.call((forward) => charge(forward, body.amount))
    return async (tx) => {
      if (misuse === 'call in the last transaction') await means.call((forward) => charge(forward, 1))
      await insert(tx, scope, id)
      if (refuses) throw conflict('The bill has changed in the meantime')
      // The process dies here as far as anybody else can see: the partner has done its part, and nothing of ours is kept.
      if (fails) await sql`do $$ begin raise lock_not_available; end $$`.execute(tx as never)
      if (crashes-- > 0) throw new Error('the process is gone')
      return { id }
    }
  },
})
const plain = route({
  name: 'plain.create',
  method: 'POST',
  path: '/plain',
  area: 'charges',
  summary: 'Write without a partner',
  access: 'write',
  delegation: 'books',
  role: 'CASHIER',
  returns: Type.Object({ done: Type.Boolean() }),
  handle: async () => ({ done: true }),
})

beforeAll(async () => {
  partner = createServer((request, response) => {
    void (async () => {
      const key = one(request.headers['idempotency-key'])
      const seen = { key, requestId: one(request.headers['x-request-id']), body: await bytesOf(request) }
      asked.push(seen)
      const id = (key !== undefined && made.get(key)) || `charge ${made.size + 1}`
      made.set(key ?? String(asked.length), id)
      const answer = await answers(seen, id)
      if (answer === 'never') return
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body)
    })()
  })
  await new Promise<void>((resolve) => partner.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(partner.address() as AddressInfo).port}`
  const started = await startHarness({
    served: { rows: [charging, plain] },
    env: { DATABASE_POOL_SIZE: '2' },
  })
  harness = started.harness
  stop = started.stop
})
afterAll(async () => {
  await stop()
  await outgoing.close()
  partner.closeAllConnections()
  await new Promise((resolve) => partner.close(resolve))
})
beforeEach(async () => {
  asked = []
  made = new Map()
  answers = fine
  crashes = 0
  fails = false
  refuses = false
  misuse = 'none'
  await harness.deps.pool.query('delete from categories')
})

const kept = async (): Promise<string[]> =>
  (await harness.deps.db.selectFrom('categories').select('name').orderBy('name').execute()).map(
    ({ name }) => name,
  )

const send = (idempotencyKey: string | undefined, body: unknown = { amount: 5 }) =>
  harness.acme.post('/charges', body, {
    headers: { 'x-request-id': 'till-7' },
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
  })

describe('a partner row', () => {
  test('forwards the key and the request id, and keeps its effect with the reply', async () => {
    const answer = await send('k-1')
    expect([answer.status, answer.data]).toEqual([201, { id: 'charge 1' }])
    expect(asked).toEqual([{ key: 'k-1', requestId: 'till-7', body: '{"amount":5}' }])
    expect(await kept()).toEqual(['charge 1'])
  })

  test('replays without asking again', async () => {
    const first = await send('k-2')
    const again = await send('k-2')
    expect([again.status, again.data, again.headers.get('idempotent-replayed')]).toEqual([
      201,
      first.data,
      'true',
    ])
    expect(asked).toHaveLength(1)
    expect(await kept()).toEqual(['charge 1'])
  })

  test('asks again under the same key after a crash, and has one effect on either side', async () => {
    crashes = 1
    expect((await send('k-3')).status).toBe(500)
    expect(await kept()).toEqual([])
    const other = await send('k-3', { amount: 6 })
    expect(refusalOf(other)).toMatchObject({ status: 409, code: 'IDEMPOTENCY_KEY_IN_USE' })
    const elsewhere = await harness.acme.post('/plain', undefined, { idempotencyKey: 'k-3' })
    expect(refusalOf(elsewhere)).toMatchObject({ status: 409, code: 'IDEMPOTENCY_KEY_IN_USE' })
    const again = await send('k-3')
    expect([again.status, again.data]).toEqual([201, { id: 'charge 1' }])
    expect(asked.map(({ key }) => key)).toEqual(['k-3', 'k-3'])
    expect([made.size, await kept()]).toEqual([1, ['charge 1']])
  })

  test('sent ten times at once under one key answers alike and has one effect', async () => {
    const sent = await Promise.all(Array.from({ length: 10 }, () => send('k-4')))
    expect(sent.map(({ status, data }) => [status, data.id])).toEqual(sent.map(() => [201, 'charge 1']))
    expect([made.size, await kept()]).toEqual([1, ['charge 1']])
  })

  test('gives its key back when it is refused, so that a corrected request may use it', async () => {
    answers = async () => ({ status: 422, body: '{}' })
    const refused = await send('k-5')
    expect(refusalOf(refused)).toMatchObject({ status: 422, param: 'amount' })
    answers = fine
    expect((await send('k-5', { amount: 7 })).status).toBe(201)
  })

  test('keeps its key for the same request when the final transaction refuses what the partner has done', async () => {
    refuses = true
    expect(refusalOf(await send('k-9'))).toMatchObject({ status: 409, code: 'CONFLICT' })
    const corrected = await send('k-9', { amount: 6 })
    expect(refusalOf(corrected)).toMatchObject({ status: 409, code: 'IDEMPOTENCY_KEY_IN_USE' })
    expect(asked).toEqual([{ key: 'k-9', requestId: 'till-7', body: '{"amount":5}' }])
    refuses = false
    const again = await send('k-9')
    expect([again.status, again.data]).toEqual([201, { id: 'charge 1' }])
    expect([made.size, await kept()]).toEqual([1, ['charge 1']])
  })

  test('answers 502 where the partner fails and 504 where it is silent, and the next try succeeds', async () => {
    answers = async () => ({ status: 500, body: 'oops' })
    const failed = await send('k-6')
    expect(refusalOf(failed)).toMatchObject({ status: 502, code: 'PARTNER_ERROR' })
    answers = async () => 'never'
    const silent = await send('k-6')
    expect(refusalOf(silent)).toMatchObject({ status: 504, code: 'PARTNER_TIMEOUT' })
    answers = fine
    expect((await send('k-6')).status).toBe(201)
    expect(await kept()).toEqual(['charge 1'])
  })

  test('does not ask for what a partner has done to be done again when the database fails behind it', async () => {
    fails = true
    const [keyless, keyed] = [await send(undefined), await send('k-8')]
    expectUnsaved({ keyless, keyed })
    fails = false
    expect((await send('k-8')).status).toBe(201)
    expect(made.size).toBe(2)
  })

  test('holds no connection, no transaction and no place while partners think', async () => {
    let release = () => {}
    const open = new Promise<void>((resolve) => (release = resolve))
    answers = async (request, id) => {
      await open
      return fine(request, id)
    }
    const waiting = Array.from({ length: 6 }, (_, n) => send(`k-7-${n}`))
    await expect.poll(() => asked.length).toBe(6)
    const { rows } = await harness.deps.pool.query<{ n: number }>(
      `select count(*)::int as n from pg_stat_activity
      where datname = current_database() and state like 'idle in transaction%'`,
    )
    expect(rows).toEqual([{ n: 0 }])
    expect((await harness.acme.post('/plain')).status).toBe(200)
    release()
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([201, 201, 201, 201, 201, 201])
  })

  test.each([
    ['call in a transaction', 0],
    ['transaction in a call', 0],
    ['call in the last transaction', 1],
  ] as const)('fails for a %s', async (wrong, calls) => {
    misuse = wrong
    const answer = await send(undefined)
    expect([answer.status, asked.length, await kept()]).toEqual([expect.any(Number), calls, []])
    expect(answer.status).toBeGreaterThanOrEqual(500)
  })

  test('gives its handler no way to the pool', async () => {
    const spied = route({
      ...charging,
      name: 'charges.spy',
      access: 'partner',
      delegation: 'books',
      body: Type.Object({}, { title: 'Spy' }),
      returns: Type.Object({ seen: Type.Array(Type.String()) }),
      handle: async (input) => async () => ({
        seen: [...Object.keys(input), ...Object.keys(input.deps)].filter((name) =>
          ['db', 'pool', 'tx'].includes(name),
        ),
      }),
    })
    const { harness: other, stop: end } = await startHarness({ served: { rows: [spied] } })
    expect((await other.acme.post('/charges', {})).data).toEqual({ seen: [] })
    await end()
  })
})
