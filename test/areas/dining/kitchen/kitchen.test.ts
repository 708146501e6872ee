import { expect, test } from 'vitest'
import { makeOutlet, makeTable } from '../../../support/build.ts'
import { refusalOf } from '../../../support/expect.ts'
import { insertSale } from '../../../support/rows.ts'
import { acme, deps, globex, useService } from '../../../support/service.ts'

useService({ synthetic: true })

const UNKNOWN = '01ARZ3NDEKTSV4RRFFQ69G5FAV'
const outcome = ({ status, error }: { status: number; error: { code: string } | null }) => [
  status,
  error?.code,
]

test('the board shows a ticket whole: the bill it came from, its table and every item', async () => {
  const outletId = await makeOutlet(acme())
  const table = await makeTable(acme(), outletId, 'A1')
  const sale = await insertSale(deps(), acme(), {
    outletId,
    tableId: table.id,
    note: 'Birthday',
    lines: [
      { name: 'Nasi Goreng', quantity: 2, status: 'PREPARING', note: 'No egg', station: 'hot' },
      { name: 'Es Teh', isActive: false, cancelledQty: 3, status: 'READY' },
    ],
  })
  const { tickets } = (await acme().get(`/kds?outletId=${outletId}`)).data
  expect(tickets).toEqual([
    {
      id: sale.id,
      number: sale.number,
      outletId,
      tableId: table.id,
      tableLabel: 'A1',
      orderType: 'DINE_IN',
      state: 'PREPARING',
      openedAt: expect.stringMatching(/Z$/),
      note: 'Birthday',
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: expect.stringMatching(/Z$/),
      items: [
        {
          id: sale.itemIds[0],
          saleId: sale.id,
          name: 'Nasi Goreng',
          variantName: 'Default',
          quantity: 2,
          soldBy: 'UNIT',
          pack: null,
          modifiers: [],
          note: 'No egg',
          station: 'hot',
          status: 'PREPARING',
          isActive: true,
          cancelledQty: 0,
          kitchenUpdatedAt: null,
          createdAt: expect.any(String),
          updatedAt: expect.any(String),
        },
        expect.objectContaining({ name: 'Es Teh', quantity: 0, isActive: false, cancelledQty: 3 }),
      ],
    },
  ])
})

test('a ticket keeps its cancelled items and a sale without an order type, served or voided never shows', async () => {
  const outletId = await makeOutlet(acme())
  const at = (fields: object) => insertSale(deps(), acme(), { outletId, ...fields })
  await at({ orderType: null })
  await at({ status: 'VOIDED' })
  await at({ lines: [{ status: 'SERVED' }] })
  const takeaway = await at({ orderType: 'TAKEAWAY', status: 'COMPLETED' })
  const delivery = await at({ orderType: 'DELIVERY' })
  const { tickets } = (await acme().get(`/kds?outletId=${outletId}`)).data
  expect(tickets.map((ticket: { id: string }) => ticket.id)).toEqual([takeaway.id, delivery.id])
})

test('advancing a ticket moves every active item one step, leaves SERVED alone and ends off the board', async () => {
  const outletId = await makeOutlet(acme())
  const sale = await insertSale(deps(), acme(), {
    outletId,
    lines: [
      { status: 'NEW' },
      { status: 'READY' },
      { status: 'PREPARING', isActive: false, cancelledQty: 1 },
    ],
  })
  const seen = []
  for (let call = 0; call < 4; call += 1) {
    const { data, status, error } = await acme().post(`/kds/${sale.id}/advance`)
    seen.push(
      status === 200
        ? [data.ticket.state, ...data.ticket.items.map((item: { status: string }) => item.status)]
        : [status, error.code],
    )
  }
  expect(seen).toEqual([
    ['PREPARING', 'PREPARING', 'SERVED', 'PREPARING'],
    ['READY', 'READY', 'SERVED', 'PREPARING'],
    ['SERVED', 'SERVED', 'SERVED', 'PREPARING'],
    [409, 'CONFLICT'],
  ])
  expect((await acme().get(`/kds?outletId=${outletId}`)).data.tickets).toEqual([])
  const undone = await acme().post(`/kds/${sale.id}/back`)
  expect(undone.data.ticket.state).toBe('READY')
  expect((await acme().get(`/kds?outletId=${outletId}`)).data.tickets).toHaveLength(1)
})

test('an item steps alone, forward and back, and its answer carries the ticket', async () => {
  const outletId = await makeOutlet(acme())
  const sale = await insertSale(deps(), acme(), { outletId, lines: [{}, { status: 'READY' }] })
  const item = `/kds/items/${sale.itemIds[0]}`
  const steps = []
  for (const path of ['advance', 'advance', 'advance', 'back', 'advance']) {
    const { data } = await acme().post(`${item}/${path}`)
    expect(data.item.kitchenUpdatedAt).toMatch(/Z$/)
    steps.push([data.item.status, data.ticket.state])
  }
  expect(steps).toEqual([
    ['PREPARING', 'PREPARING'],
    ['READY', 'READY'],
    ['SERVED', 'READY'],
    ['READY', 'READY'],
    ['SERVED', 'READY'],
  ])
  expect((await acme().post(`/kds/items/${sale.itemIds[1]}/advance`)).data.ticket.state).toBe('SERVED')
  const undone = await acme().post(`${item}/back`)
  expect([undone.data.item.status, undone.data.ticket.state]).toEqual(['READY', 'READY'])
})

test('every step the state does not allow is 409 and moves nothing; what is unknown is 404', async () => {
  const outletId = await makeOutlet(acme())
  const table = await makeTable(acme(), outletId, 'A1')
  const at = async (fields: object) => {
    const sale = await insertSale(deps(), acme(), { outletId, ...fields })
    return { ticket: sale.id, item: sale.itemIds[0] }
  }
  const fresh = await at({ tableId: table.id })
  const served = await at({ lines: [{ status: 'SERVED' }] })
  const counter = await at({ orderType: null })
  const voided = await at({ status: 'VOIDED', lines: [{ status: 'PREPARING' }] })
  const dropped = await at({ lines: [{ status: 'READY', isActive: false, cancelledQty: 1 }, {}] })
  const cases: [string, number, string][] = [
    [`/kds/${served.ticket}/advance`, 409, 'CONFLICT'],
    [`/kds/items/${served.item}/advance`, 409, 'CONFLICT'],
    [`/kds/${fresh.ticket}/back`, 409, 'CONFLICT'],
    [`/kds/items/${fresh.item}/back`, 409, 'CONFLICT'],
    [`/kds/${counter.ticket}/advance`, 409, 'CONFLICT'],
    [`/kds/${counter.ticket}/back`, 409, 'CONFLICT'],
    [`/kds/items/${counter.item}/advance`, 409, 'CONFLICT'],
    [`/kds/items/${counter.item}/back`, 409, 'CONFLICT'],
    [`/kds/${voided.ticket}/advance`, 409, 'CONFLICT'],
    [`/kds/${voided.ticket}/back`, 409, 'CONFLICT'],
    [`/kds/items/${voided.item}/advance`, 409, 'CONFLICT'],
    [`/kds/items/${dropped.item}/advance`, 409, 'CONFLICT'],
    [`/kds/items/${dropped.item}/back`, 409, 'CONFLICT'],
    [`/kds/tables/${table.id}/serve`, 409, 'CONFLICT'],
    [`/kds/txn_${UNKNOWN}/advance`, 404, 'NOT_FOUND'],
    [`/kds/txn_${UNKNOWN}/back`, 404, 'NOT_FOUND'],
    [`/kds/items/tli_${UNKNOWN}/advance`, 404, 'NOT_FOUND'],
    [`/kds/items/tli_${UNKNOWN}/back`, 404, 'NOT_FOUND'],
    [`/kds/tables/tbl_${UNKNOWN}/serve`, 404, 'NOT_FOUND'],
  ]
  const before = await deps().db.selectFrom('saleItems').selectAll().orderBy('id').execute()
  for (const [path, status, code] of cases) {
    expect([path, ...outcome(await acme().post(path))]).toEqual([path, status, code])
  }
  expect(await deps().db.selectFrom('saleItems').selectAll().orderBy('id').execute()).toEqual(before)
})

test('serving a table serves what is ready on all its tickets, and only there', async () => {
  const outletId = await makeOutlet(acme())
  const [table, other] = [await makeTable(acme(), outletId, 'A1'), await makeTable(acme(), outletId, 'A2')]
  const at = (tableId: string, ...statuses: ('NEW' | 'READY')[]) =>
    insertSale(deps(), acme(), { outletId, tableId, lines: statuses.map((status) => ({ status })) })
  const first = await at(table.id, 'READY', 'NEW')
  const second = await at(table.id, 'READY', 'READY')
  await at(table.id, 'NEW')
  const elsewhere = await at(other.id, 'READY')
  const { data } = await acme().post(`/kds/tables/${table.id}/serve`)
  expect(data.served).toBe(3)
  expect(data.tickets.map((ticket: { id: string; state: string }) => [ticket.id, ticket.state])).toEqual([
    [first.id, 'NEW'],
    [second.id, 'SERVED'],
  ])
  expect(outcome(await acme().post(`/kds/tables/${table.id}/serve`))).toEqual([409, 'CONFLICT'])
  const { groups } = (await acme().get(`/kds/ready?outletId=${outletId}`)).data
  const ready = groups.flatMap((group: { items: { id: string; status: string }[] }) =>
    group.items.filter((item) => item.status === 'READY').map((item) => item.id),
  )
  expect(ready).toEqual(elsewhere.itemIds)
})

test('the serve board groups the unserved items of a table; an order without a table is a group of its own', async () => {
  const outletId = await makeOutlet(acme())
  const table = await makeTable(acme(), outletId, 'A1')
  const at = (fields: object) => insertSale(deps(), acme(), { outletId, ...fields })
  const first = await at({
    tableId: table.id,
    lines: [{ status: 'READY' }, { status: 'SERVED' }, { isActive: false, cancelledQty: 1 }],
  })
  const takeaway = await at({ orderType: 'TAKEAWAY', lines: [{ status: 'PREPARING' }] })
  const second = await at({ tableId: table.id, lines: [{}] })
  const another = await at({ orderType: 'TAKEAWAY', lines: [{}] })
  const { groups } = (await acme().get(`/kds/ready?outletId=${outletId}`)).data
  const shown = groups.map(({ items, ...group }: { items: { id: string; saleId: string }[] }) => ({
    ...group,
    items: items.map((item) => [item.saleId, item.id]),
  }))
  expect(shown).toEqual([
    {
      tableId: table.id,
      tableLabel: 'A1',
      saleId: first.id,
      number: first.number,
      orderType: 'DINE_IN',
      items: [
        [first.id, first.itemIds[0]],
        [second.id, second.itemIds[0]],
      ],
    },
    {
      tableId: null,
      tableLabel: null,
      saleId: takeaway.id,
      number: takeaway.number,
      orderType: 'TAKEAWAY',
      items: [[takeaway.id, takeaway.itemIds[0]]],
    },
    expect.objectContaining({ saleId: another.id }),
  ])
})

test('counts name the tickets on the board and those with something ready, of one outlet or of all', async () => {
  const [here, there] = [await makeOutlet(globex()), await makeOutlet(globex())]
  const at = (outletId: string, ...statuses: ('NEW' | 'READY' | 'SERVED')[]) =>
    insertSale(deps(), globex(), { outletId, lines: statuses.map((status) => ({ status })) })
  await at(here, 'NEW', 'READY')
  await at(here, 'READY', 'READY')
  await at(here, 'NEW', 'SERVED')
  await at(here, 'SERVED')
  await at(there, 'READY')
  await insertSale(deps(), globex(), {
    outletId: there,
    lines: [{ status: 'READY', isActive: false, cancelledQty: 1 }, {}],
  })
  const counts = async (query: string) => (await globex().get(`/kds/counts${query}`)).data
  expect(await counts(`?outletId=${here}`)).toEqual({ active: 3, ready: 2 })
  expect(await counts(`?outletId=${there}`)).toEqual({ active: 2, ready: 1 })
  expect(await counts('')).toEqual({ active: 5, ready: 3 })
  expect((await globex().get('/kds')).data.tickets).toHaveLength(5)
})

test('a station sees its own items of the tickets it still has work on', async () => {
  const outletId = await makeOutlet(acme())
  const at = (...lines: object[]) => insertSale(deps(), acme(), { outletId, lines })
  const both = await at({ station: 'bar', status: 'READY' }, { station: 'hot' })
  await at({ station: 'bar', status: 'SERVED' }, { station: 'hot' })
  await at({ station: 'bar', isActive: false, cancelledQty: 1, status: 'READY' }, {})
  const shown = async (query: string) =>
    (await acme().get(`/kds?outletId=${outletId}${query}`)).data.tickets.map(
      (ticket: { id: string; state: string; items: object[] }) => [
        ticket.id,
        ticket.state,
        ticket.items.length,
      ],
    )
  expect(await shown('&station=bar')).toEqual([[both.id, 'NEW', 1]])
  expect(await shown('&station=hot')).toHaveLength(2)
  expect(await shown('&station=cold')).toEqual([])
  expect(await shown('')).toHaveLength(3)
  const refused = await acme().get(`/kds?station=${'x'.repeat(41)}`)
  expect(refusalOf(refused)).toMatchObject({ status: 400, param: 'station' })
})

test.each(['/kds', '/kds/ready', '/kds/counts'])('GET %s of an unknown outlet is 404', async (path) => {
  const foreign = await makeOutlet(globex())
  for (const outletId of [`out_${UNKNOWN}`, foreign]) {
    expect(outcome(await acme().get(`${path}?outletId=${outletId}`))).toEqual([404, 'NOT_FOUND'])
  }
  expect((await acme().get(`${path}?outletId=`)).status).toBe(400)
})

test('becoming READY writes one event with the ticket, by its last item or by the whole ticket', async () => {
  const before = (await acme().events()).length
  const outletId = await makeOutlet(acme())
  const sale = await insertSale(deps(), acme(), {
    outletId,
    lines: [{ status: 'PREPARING' }, { status: 'PREPARING' }],
  })
  await acme().post(`/kds/items/${sale.itemIds[0]}/advance`)
  expect(await acme().events()).toHaveLength(before)
  await acme().post(`/kds/items/${sale.itemIds[1]}/advance`)
  expect((await acme().events()).slice(before)).toEqual(['service.kitchen.ticket_ready.v1'])
  const row = await deps()
    .db.selectFrom('events')
    .select(['refId', 'body'])
    .where('refId', '=', sale.id)
    .executeTakeFirstOrThrow()
  const body = typeof row.body === 'string' ? JSON.parse(row.body) : row.body
  expect(body.data.ticket).toMatchObject({ id: sale.id, state: 'READY', outletId })
})

test('20 advances of one item at once move it three times and refuse the rest', async () => {
  const outletId = await makeOutlet(acme())
  const sale = await insertSale(deps(), acme(), { outletId, lines: [{}, {}] })
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => acme().post(`/kds/items/${sale.itemIds[0]}/advance`)),
  )
  const accepted = answers.filter((answer) => answer.status === 200)
  expect(accepted).toHaveLength(3)
  expect(new Set(accepted.map((answer) => answer.data.item.status))).toEqual(
    new Set(['PREPARING', 'READY', 'SERVED']),
  )
  expect(answers.filter((answer) => answer.status === 409)).toHaveLength(17)
})

test('a retried advance with its Idempotency-Key moves the item once', async () => {
  const outletId = await makeOutlet(acme())
  const sale = await insertSale(deps(), acme(), { outletId })
  const send = () =>
    acme().post(`/kds/${sale.id}/advance`, undefined, { idempotencyKey: `advance-${sale.id}` })
  const [first, second] = [await send(), await send()]
  expect(second.data).toEqual(first.data)
  expect(second.data.ticket.state).toBe('PREPARING')
})

test('tickets, items and tables of another workspace answer 404', async () => {
  const outletId = await makeOutlet(acme())
  const table = await makeTable(acme(), outletId, 'A1')
  const sale = await insertSale(deps(), acme(), { outletId, tableId: table.id, lines: [{ status: 'READY' }] })
  const paths = [
    `/kds/${sale.id}/advance`,
    `/kds/${sale.id}/back`,
    `/kds/items/${sale.itemIds[0]}/advance`,
    `/kds/items/${sale.itemIds[0]}/back`,
    `/kds/tables/${table.id}/serve`,
  ]
  for (const path of paths) expect(outcome(await globex().post(path))).toEqual([404, 'NOT_FOUND'])
})

test('of two cooks who start one ticket at the same moment, one moves it and the other learns of it: it moves one step', async () => {
  const outletId = await makeOutlet(acme())
  const sale = await insertSale(deps(), acme(), { outletId, lines: [{ status: 'NEW' }, { status: 'READY' }] })
  const start = () => acme().post(`/kds/${sale.id}/advance`, { from: 'NEW' })
  const answers = await Promise.all([start(), start()])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  const { tickets } = (await acme().get(`/kds?outletId=${outletId}`)).data
  expect(tickets[0].items.map(({ status }: { status: string }) => status)).toEqual(['PREPARING', 'READY'])
})

test('a step of a ticket moves only the items it names, and back again; an item of another ticket is 404', async () => {
  const outletId = await makeOutlet(acme())
  const sale = await insertSale(deps(), acme(), { outletId, lines: [{ status: 'NEW' }, { status: 'NEW' }] })
  const other = await insertSale(deps(), acme(), { outletId, lines: [{ status: 'NEW' }] })
  const states = async (answer: Promise<{ data: { ticket: { items: { status: string }[] } } }>) =>
    (await answer).data.ticket.items.map(({ status }) => status)
  const itemIds = [sale.itemIds[1]]
  const step = (way: string, body: object) => acme().post(`/kds/${sale.id}/${way}`, body)
  expect(await states(step('advance', { from: 'NEW', itemIds }))).toEqual(['NEW', 'PREPARING'])
  expect(await states(step('back', { from: 'PREPARING', itemIds }))).toEqual(['NEW', 'NEW'])
  const refused = await step('advance', { itemIds: [sale.itemIds[0], other.itemIds[0]] })
  expect(refusalOf(refused)).toMatchObject({ code: 'NOT_FOUND', param: 'itemIds[1]' })
})

/** Copies a sale and its items: each copy is newer than the one before. */
async function copySale(id: string, times: number) {
  const suffix = `lpad(n::text, 4, '0')`
  for (const [table, keys] of [
    ['sales', `'id', r.id || ${suffix}, 'number', r.number || ${suffix}`],
    ['sale_items', `'id', r.id || ${suffix}, 'sale_id', r.sale_id || ${suffix}`],
  ])
    await deps().pool.query(
      `insert into ${table} select (jsonb_populate_record(r, jsonb_build_object(${keys}))).*
        from ${table} r, generate_series(1, $2::int) n where r.${table === 'sales' ? 'id' : 'sale_id'} = $1`,
      [id, times],
    )
}

test('a board shows the newest 1,000 tickets, with 5,000 items together, and each of them whole', async () => {
  const many = await makeOutlet(acme())
  const { id: first } = await insertSale(deps(), acme(), { outletId: many })
  await copySale(first, 1_000)
  const idsOn = async (outletId: string): Promise<string[]> =>
    (await acme().get(`/kds?outletId=${outletId}`)).data.tickets.map((ticket: { id: string }) => ticket.id)
  const shown = await idsOn(many)
  expect([shown.length, shown[0], shown.at(-1)]).toEqual([1_000, `${first}0001`, `${first}1000`])
  expect((await acme().get(`/kds/counts?outletId=${many}`)).data.active).toBe(1_001)

  const long = await makeOutlet(acme())
  const { id } = await insertSale(deps(), acme(), {
    outletId: long,
    lines: Array.from({ length: 300 }, () => ({})),
  })
  await copySale(id, 17)
  const { tickets } = (await acme().get(`/kds?outletId=${long}`)).data
  expect(tickets.map(({ items }: { items: unknown[] }) => items.length)).toEqual(Array(16).fill(300))
  expect(tickets.at(-1).id).toBe(`${id}0017`)
  // The board of the workspace is limited as a whole.
  expect((await acme().get('/kds')).data.tickets[0].id > first).toBe(true)
})

test('one request serves the 50 oldest tickets of a table that have something ready', async () => {
  const outletId = await makeOutlet(acme())
  const table = await makeTable(acme(), outletId, 'Long')
  const { id } = await insertSale(deps(), acme(), {
    outletId,
    tableId: table.id,
    lines: [{ status: 'READY' }],
  })
  await copySale(id, 59)
  const serve = () => acme().post(`/kds/tables/${table.id}/serve`)
  const { served, tickets } = (await serve()).data
  expect([served, tickets.length, tickets[0].id, tickets.at(-1).id]).toEqual([50, 50, id, `${id}0049`])
  expect((await serve()).data.served).toBe(10)
  expect((await serve()).status).toBe(409)
})
