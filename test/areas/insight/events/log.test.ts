import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { encodePosition } from '../../../../src/areas/insight/events/cursor.ts'
import { newId } from '../../../../src/core/ids.ts'
import { type Api } from '../../../support/api.ts'
import { openShop } from '../../../support/build.ts'
import { memberOf } from '../../../support/clients.ts'
import { refusalOf } from '../../../support/expect.ts'
import { deps, globex, useService, workspace } from '../../../support/service.ts'

useService()

type Row = { id: string; type: string; resourceId: string; createdAt: string }
const read = async (api: Api, query = '') => {
  const answer = await api.get(`/events?limit=100${query}`)
  expect(answer.status, answer.text).toBe(200)
  return { rows: answer.data as Row[], cursor: answer.meta.cursor as string | null, meta: answer.meta }
}

test('an event says what happened to which record, by whom, in which request, from where', async () => {
  const api = await workspace()
  const made = await api.post('/customers', { name: 'Ani' }, { headers: { 'x-request-id': 'my-request' } })
  const { rows } = await read(api)
  expect(rows).toEqual([
    {
      id: expect.stringMatching(/^evt_/),
      type: 'service.customer.created.v1',
      createdAt: made.data.customer.createdAt,
      resourceId: made.data.customer.id,
      actor: { kind: 'apiKey', id: api.workspace.keyId, name: 'Workspace till' },
      requestId: 'my-request',
      address: '127.0.0.1',
      data: { customer: made.data.customer },
    },
  ])
})

test('a sale is in the log with its till, the way of one statement and the longer one alike', async () => {
  const api = await workspace()
  const shop = await openShop(api)
  const items = [{ variantId: shop.latte, quantity: 1 }]
  const sell = (more: object) => api.post('/sales', { outletId: shop.outletId, items, ...more })
  const plain = await sell({ status: 'COMPLETED' })
  const bill = await sell({ status: 'PARKED' })
  await api.post(`/sales/${bill.data.sale.id}/settle`, { payments: [{ method: 'CASH', amount: 100_000 }] })
  for (const { id } of [plain.data.sale, bill.data.sale]) {
    const { rows } = await read(api, `&type=service.sale.completed.v1&resource=${id}`)
    expect(rows).toHaveLength(1)
    expect(rows[0]).toMatchObject({
      resourceId: id,
      actor: { kind: 'apiKey', id: api.workspace.keyId },
      address: '127.0.0.1',
      data: { sale: { id } },
    })
  }
})

test('newest first, page by page, by type and by record', async () => {
  const api = await workspace()
  const ids: string[] = []
  for (let n = 0; n < 6; n += 1) {
    const { id } = (await api.post('/customers', { name: `Ani ${n}` })).data.customer
    await api.patch(`/customers/${id}`, { name: `Budi ${n}` })
    ids.push(id)
  }
  const { rows, cursor } = await read(api)
  expect(cursor).toBeNull()
  expect(rows.map(({ resourceId }) => resourceId)).toEqual(ids.toReversed().flatMap((id) => [id, id]))
  const paged: Row[] = []
  for (let next: string | null = ''; next !== null; ) {
    const page: Awaited<ReturnType<typeof api.get>> = await api.get(
      `/events?limit=5${next === '' ? '' : `&cursor=${next}`}`,
    )
    paged.push(...page.data)
    next = page.meta.cursor
  }
  expect(paged).toEqual(rows)
  expect((await read(api, '&type=service.customer.updated.v1')).rows).toHaveLength(6)
  expect((await read(api, `&resource=${ids[0]}`)).rows).toHaveLength(2)
  expect((await read(api, `&resource=${ids[0]}&type=service.customer.updated.v1`)).rows).toHaveLength(1)
  expect((await read(api, '&type=service.nothing.happened.v1')).rows).toEqual([])
})

test('a follower goes on where it stopped, also after an answer that held nothing', async () => {
  const api = await workspace()
  const follow = (cursor: string | null, more = '') =>
    read(api, `&order=oldest${more}${cursor === null ? '' : `&cursor=${cursor}`}`)
  const seen: string[] = []
  let { cursor, rows } = await follow(null)
  expect([rows, typeof cursor]).toEqual([[], 'string'])
  for (let n = 0; n < 3; n += 1) {
    const { id } = (await api.post('/customers', { name: `Ani ${n}` })).data.customer
    // A write that is still under way elsewhere may keep the newest back for a moment.
    await expect
      .poll(async () => {
        const next = await follow(cursor)
        ;({ cursor } = next)
        seen.push(...next.rows.map((row) => row.resourceId))
        return seen.at(-1)
      })
      .toBe(id)
  }
  expect(seen).toHaveLength(3)
  ;({ rows } = await follow(null))
  expect(rows.map(({ resourceId }) => resourceId)).toEqual(seen)
  const since = new Date(Date.now() + 60_000).toISOString()
  expect((await follow(null, `&since=${since}`)).rows).toEqual([])
  const hour = new Date(Date.now() - 3_600_000).toISOString()
  expect((await follow(null, `&since=${hour}`)).rows).toHaveLength(3)
})

test.each([
  ['cursor=nonsense', 'cursor'],
  ['order=oldest&cursor=nonsense', 'cursor'],
  ['order=sideways', 'order'],
  ['since=2026-05-04T02:00:00Z', 'since'],
  ['order=oldest&since=yesterday', 'since'],
  ['limit=0', 'limit'],
  ['typ=service.customer.created.v1', 'typ'],
])('%s is refused and names the field', async (query, param) => {
  const { status, error } = await (await workspace()).get(`/events?${query}`)
  expect([status, error.code, error.param]).toEqual([400, 'VALIDATION_ERROR', param])
})

test('a cursor of a database that had counted further is 400, not an answer without the new events', async () => {
  const api = await workspace()
  await api.post('/customers', { name: 'Ani' })
  const { cursor } = await read(api, '&order=oldest')
  expect((await read(api, `&order=oldest&cursor=${cursor}`)).rows).toEqual([])
  const { rows } = await deps().pool.query<{ next: string }>(
    'select pg_snapshot_xmax(pg_current_snapshot())::text as next',
  )
  const tx = String(BigInt(rows[0]?.next ?? 0) + 1_000n)
  const ahead = encodePosition({ tx, id: newId('event'), cluster: null })
  const refused = await api.get(`/events?order=oldest&cursor=${ahead}`)
  expect([refusalOf(refused), refused.error.message]).toEqual([
    { status: 400, code: 'VALIDATION_ERROR', param: 'cursor' },
    expect.stringContaining('start again without a cursor'),
  ])
})

test('a cursor of another database is 400 also when it is not ahead, and one from before cursors named it works', async () => {
  const api = await workspace()
  const { cursor } = await read(api, '&order=oldest')
  await api.post('/customers', { name: 'Ani' })
  const parts = JSON.parse(Buffer.from(String(cursor), 'base64url').toString()) as string[]
  const follow = (changed: unknown[]) =>
    api.get(`/events?order=oldest&cursor=${Buffer.from(JSON.stringify(changed)).toString('base64url')}`)
  const [tx, id] = parts
  const foreign = await follow([tx, id, '7300000000000000001'])
  expect(refusalOf(foreign)).toEqual({ status: 400, code: 'VALIDATION_ERROR', param: 'cursor' })
  expect(refusalOf(await follow([...parts, '1']))).toMatchObject({ status: 400, param: 'cursor' })
  await expect.poll(async () => ((await follow([tx, id])).data as unknown[]).length).toBe(1)
  await expect.poll(async () => ((await follow(parts)).data as unknown[]).length).toBe(1)
})

test('a cashier does not read the log, and no workspace reads that of another', async () => {
  const api = await workspace()
  await api.post('/customers', { name: 'Ani' })
  const cashier = (await memberOf(api, 'CASHIER')).api
  expect((await cashier.get('/events')).status).toBe(403)
  const { rows } = await read(api)
  const foreign = await read(globex(), `&resource=${rows[0]?.resourceId}`)
  expect(foreign.rows).toEqual([])
})

test('32 writers that pause before they commit: a follower sees every event once', async () => {
  const api = await workspace()
  const { accountId } = api.workspace
  const { customer } = (await api.post('/customers', { name: 'Ani' })).data
  const type = 'service.customer.updated.v1'
  const bodyOf = (id: string) =>
    JSON.stringify({ id, type, timestamp: customer.createdAt, accountId, data: { customer } })
  const WRITERS = 32
  const ROUNDS = 8
  let left = WRITERS
  const writer = async () => {
    const client = await deps().pool.connect()
    try {
      for (let round = 0; round < ROUNDS; round += 1) {
        await client.query('begin')
        // The id is made now, the commit comes whenever it comes.
        const id = newId('event')
        await client.query(
          `insert into events (account_id, id, type, ref_id, body, created_at)
            values ($1, $2, $3, $4, $5, now())`,
          [accountId, id, type, customer.id, bodyOf(id)],
        )
        await sleep(Math.random() * 40)
        await client.query(round % 4 === 3 ? 'rollback' : 'commit')
      }
    } finally {
      client.release()
      left -= 1
    }
  }
  const seen: string[] = []
  let cursor: string | null = null
  const look = async () => {
    const next: Awaited<ReturnType<typeof read>> = await read(
      api,
      `&order=oldest${cursor === null ? '' : `&cursor=${cursor}`}`,
    )
    ;({ cursor } = next)
    seen.push(...next.rows.map(({ id }) => id))
  }
  const writers = Array.from({ length: WRITERS }, writer)
  while (left > 0) await look()
  await Promise.all(writers)
  const wanted = (WRITERS * ROUNDS * 3) / 4 + 1
  await expect.poll(async () => (await look(), seen.length)).toBe(wanted)
  await look()
  expect(new Set(seen).size).toBe(wanted)
  expect(seen).toHaveLength(wanted)
  expect(new Set((await allOf(api)).map(({ id }) => id))).toEqual(new Set(seen))
}, 60_000)

async function allOf(api: Api): Promise<Row[]> {
  const found: Row[] = []
  for (let next: string | null = ''; next !== null; ) {
    const page: Awaited<ReturnType<typeof api.get>> = await api.get(
      `/events?limit=100${next === '' ? '' : `&cursor=${next}`}`,
    )
    found.push(...page.data)
    next = page.meta.cursor
  }
  return found
}
