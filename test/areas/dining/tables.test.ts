import { expect, test } from 'vitest'
import { makeOutlet, makeTable } from '../../support/build.ts'
import { refusalOf } from '../../support/expect.ts'
import { insertSale } from '../../support/rows.ts'
import { acme, deps, globex, useService, workspace } from '../../support/service.ts'
import { watching } from '../../support/statements.ts'

useService({ synthetic: true })

const UNKNOWN = '01ARZ3NDEKTSV4RRFFQ69G5FAV'

test('a table made without a floor lands on "Main floor", made for it, with every default', async () => {
  const outletId = await makeOutlet(acme())
  const created = await acme().post('/tables', { outletId, label: ' A1 ' })
  expect(created.status).toBe(201)
  const floors = (await acme().get(`/floors?outletId=${outletId}`)).data.floors
  expect(floors).toEqual([
    expect.objectContaining({ outletId, name: 'Main floor', sortOrder: 0, tableCount: 1 }),
  ])
  expect(created.data.table).toMatchObject({
    id: expect.stringMatching(/^tbl_/),
    outletId,
    floorId: floors[0].id,
    label: 'A1',
    zone: null,
    seats: null,
    sortOrder: 0,
    posX: 0,
    posY: 0,
    shape: 'SQUARE',
    width: 80,
    height: 80,
    isActive: true,
  })
})

test('a table made without a floor lands on the first floor of the list', async () => {
  const outletId = await makeOutlet(acme())
  await acme().post('/floors', { outletId, name: 'Roof', sortOrder: 2 })
  const garden = (await acme().post('/floors', { outletId, name: 'Garden', sortOrder: 1 })).data.floor
  expect((await makeTable(acme(), outletId, 'G1')).floorId).toBe(garden.id)
})

test('20 tables made at once at an outlet without floors share one "Main floor"', async () => {
  const outletId = await makeOutlet(acme())
  const labels = Array.from({ length: 20 }, (_, index) => `T${index}`)
  const created = await Promise.all(labels.map((label) => acme().post('/tables', { outletId, label })))
  expect(created.map((answer) => answer.status)).toEqual(Array(20).fill(201))
  const { floors } = (await acme().get(`/floors?outletId=${outletId}`)).data
  expect(floors).toMatchObject([{ name: 'Main floor', tableCount: 20 }])
})

test('of 10 tables made at once with one label exactly one is made', async () => {
  const outletId = await makeOutlet(acme())
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, index) =>
      acme().post('/tables', { outletId, label: index % 2 ? 'VIP' : 'vip' }),
    ),
  )
  const statuses = answers.map((answer) => answer.status).sort((a, b) => a - b)
  expect(statuses).toEqual([201, ...Array(9).fill(409)])
})

test('labels of an outlet are compared without case and spaces, active or not; other outlets are free', async () => {
  const outletId = await makeOutlet(acme())
  const first = await makeTable(acme(), outletId, 'Patio 1')
  const second = await makeTable(acme(), outletId, 'Patio 2')
  await acme().patch(`/tables/${first.id}`, { isActive: false })
  const twice = await acme().post('/tables', { outletId, label: '  pATIO 1 ' })
  expect(refusalOf(twice)).toMatchObject({ status: 409, code: 'CONFLICT' })
  const renamed = await acme().patch(`/tables/${second.id}`, { label: 'PATIO 1' })
  expect(refusalOf(renamed)).toMatchObject({ status: 409, code: 'CONFLICT' })
  const own = await acme().patch(`/tables/${second.id}`, { label: 'PATIO 2' })
  expect(own.data.table.label).toBe('PATIO 2')
  const elsewhere = await acme().post('/tables', { outletId: await makeOutlet(acme()), label: 'Patio 1' })
  expect(elsewhere.status).toBe(201)
})

test.each([
  [{}, 'label'],
  [{ label: '' }, 'label'],
  [{ label: 'x'.repeat(41) }, 'label'],
  [{ label: 7 }, 'label'],
  [{ label: 'A', zone: 'x'.repeat(61) }, 'zone'],
  [{ label: 'A', seats: 0 }, 'seats'],
  [{ label: 'A', seats: 101 }, 'seats'],
  [{ label: 'A', seats: 2.5 }, 'seats'],
  [{ label: 'A', sortOrder: -1 }, 'sortOrder'],
  [{ label: 'A', posX: -1 }, 'posX'],
  [{ label: 'A', posY: 10_001 }, 'posY'],
  [{ label: 'A', width: 0 }, 'width'],
  [{ label: 'A', height: 10_001 }, 'height'],
  [{ label: 'A', shape: 'OVAL' }, 'shape'],
])('POST /tables refuses %j', async (fields, param) => {
  const refused = await acme().post('/tables', { outletId: await makeOutlet(acme()), ...fields })
  expect(refusalOf(refused)).toEqual({ status: 400, code: 'VALIDATION_ERROR', param })
})

test('a table refuses an unknown outlet or floor, a floor of another outlet and an inactive outlet', async () => {
  const outletId = await makeOutlet(acme())
  const other = await makeOutlet(acme())
  const floor = (await acme().post('/floors', { outletId: other, name: 'Roof' })).data.floor
  const closed = await makeOutlet(acme())
  await acme().patch(`/outlets/${closed}`, { isActive: false })
  const bodies = [
    { outletId: `out_${UNKNOWN}`, label: 'A' },
    { outletId, label: 'A', floorId: `flr_${UNKNOWN}` },
    { outletId, label: 'A', floorId: floor.id },
    { outletId: closed, label: 'A' },
  ]
  const answers = await Promise.all(bodies.map((body) => acme().post('/tables', body)))
  expect(answers.map(refusalOf)).toEqual([
    { status: 404, code: 'NOT_FOUND', param: 'outletId' },
    { status: 404, code: 'NOT_FOUND', param: 'floorId' },
    { status: 422, code: 'VALIDATION_ERROR', param: 'floorId' },
    { status: 422, code: 'VALIDATION_ERROR', param: 'outletId' },
  ])
})

test('PATCH moves a table to another floor of its outlet only, clears what may be null and keeps the rest', async () => {
  const outletId = await makeOutlet(acme())
  const table = await makeTable(acme(), outletId, 'A1', { zone: 'Window', seats: 4, posX: 10 })
  const roof = (await acme().post('/floors', { outletId, name: 'Roof' })).data.floor
  const moved = await acme().patch(`/tables/${table.id}`, { floorId: roof.id, seats: null })
  expect(moved.data.table).toMatchObject({ floorId: roof.id, seats: null, zone: 'Window', posX: 10 })
  const foreign = (await acme().post('/floors', { outletId: await makeOutlet(acme()), name: 'B' })).data.floor
  const refused = await acme().patch(`/tables/${table.id}`, { floorId: foreign.id })
  expect(refusalOf(refused)).toMatchObject({ status: 422, param: 'floorId' })
  const nothing = await acme().patch(`/tables/${table.id}`, { floorId: null })
  expect(refusalOf(nothing)).toMatchObject({ status: 400, param: 'floorId' })
})

test('tables are listed by sortOrder, then label, by floor, without the inactive ones unless asked', async () => {
  const outletId = await makeOutlet(acme())
  const roof = (await acme().post('/floors', { outletId, name: 'Roof' })).data.floor
  await makeTable(acme(), outletId, 'B')
  await makeTable(acme(), outletId, 'A')
  await makeTable(acme(), outletId, 'Z', { sortOrder: 0, floorId: roof.id })
  const last = await makeTable(acme(), outletId, '0', { sortOrder: 9 })
  await acme().patch(`/tables/${last.id}`, { isActive: false })
  const labels = async (query: string) =>
    (await acme().get(`/tables?outletId=${outletId}${query}`)).data.tables.map(
      (table: { label: string }) => table.label,
    )
  expect(await labels('')).toEqual(['A', 'B', 'Z'])
  expect(await labels('&includeInactive=true')).toEqual(['A', 'B', 'Z', '0'])
  expect(await labels('&includeInactive=0')).toEqual(['A', 'B', 'Z'])
  expect(await labels(`&floorId=${roof.id}`)).toEqual(['A', 'B', 'Z'])
  expect(await labels(`&floorId=flr_${UNKNOWN}`)).toEqual([])
})

test.each(['/tables', '/tables/floor', '/floors'])('GET %s needs a known outletId', async (path) => {
  const without = await acme().get(path)
  expect(refusalOf(without)).toMatchObject({ status: 400, param: 'outletId' })
  const unknown = await acme().get(`${path}?outletId=out_${UNKNOWN}`)
  expect(refusalOf(unknown)).toMatchObject({ status: 404, code: 'NOT_FOUND' })
})

test('the floor map shows the oldest open bill of each active table, how many there are and what is owed', async () => {
  const outletId = await makeOutlet(acme())
  const [busy, paid, free, gone] = await Promise.all(
    ['1', '2', '3', '4'].map((label) => makeTable(acme(), outletId, label)),
  )
  if (!busy || !paid || !free || !gone) throw new Error('four tables')
  const at = (tableId: string, fields: object) => insertSale(deps(), acme(), { outletId, tableId, ...fields })
  const oldest = await at(busy.id, { total: 50_000, paidTotal: 20_000, lines: [{}, {}] })
  await at(busy.id, { total: 7_000 })
  await at(paid.id, { status: 'COMPLETED' })
  await at(paid.id, { status: 'VOIDED' })
  await acme().patch(`/tables/${gone.id}`, { isActive: false })
  await insertSale(deps(), acme(), { outletId, tableId: null })
  const { tables } = (await acme().get(`/tables/floor?outletId=${outletId}`)).data
  expect(tables).toEqual([
    expect.objectContaining({
      id: busy.id,
      occupied: true,
      openBillCount: 2,
      openBill: {
        id: oldest.id,
        number: oldest.number,
        total: 50_000,
        paidTotal: 20_000,
        remaining: 30_000,
        itemCount: 2,
        openedAt: expect.stringMatching(/Z$/),
      },
    }),
    expect.objectContaining({ id: paid.id, occupied: false, openBillCount: 0, openBill: null }),
    expect.objectContaining({ id: free.id, occupied: false, openBillCount: 0, openBill: null }),
  ])
  const none = await acme().get(`/tables/floor?outletId=${outletId}&floorId=flr_${UNKNOWN}`)
  expect(none.data).toEqual({ tables: [] })
})

test('the floor map is one query, however many tables', async () => {
  const outletId = await makeOutlet(acme())
  for (const label of ['1', '2', '3', '4', '5']) {
    const { id } = await makeTable(acme(), outletId, label)
    await insertSale(deps(), acme(), { outletId, tableId: id })
  }
  const sent: string[] = []
  await watching(
    ({ text }) => sent.push(text),
    () => acme().get(`/tables/floor?outletId=${outletId}`),
  )
  // What the sales before have changed may be told of meanwhile.
  const others = /^set |api_keys|pg_notify/
  const statements = sent.filter((text) => !others.test(text))
  expect(statements).toEqual([expect.stringContaining('dining_tables')])
})

test('a layout is saved whole: positions, and shape and size where sent', async () => {
  const outletId = await makeOutlet(acme())
  const a = await makeTable(acme(), outletId, 'A', { shape: 'ROUND', width: 120 })
  const b = await makeTable(acme(), outletId, 'B')
  const saved = await acme().put('/tables/layout', {
    outletId,
    floorId: a.floorId,
    tables: [
      { id: b.id, posX: 300, posY: 40, shape: 'RECT', width: 160, height: 60 },
      { id: a.id, posX: 10, posY: 20 },
    ],
  })
  expect(saved.status).toBe(200)
  expect(saved.data.tables).toMatchObject([
    { id: a.id, posX: 10, posY: 20, shape: 'ROUND', width: 120, height: 80 },
    { id: b.id, posX: 300, posY: 40, shape: 'RECT', width: 160, height: 60 },
  ])
})

test('a layout with anything wrong in it moves no table', async () => {
  const outletId = await makeOutlet(acme())
  const a = await makeTable(acme(), outletId, 'A')
  const roof = (await acme().post('/floors', { outletId, name: 'Roof' })).data.floor
  const upstairs = await makeTable(acme(), outletId, 'U', { floorId: roof.id })
  const foreign = await makeTable(acme(), await makeOutlet(acme()), 'F')
  const hidden = await makeTable(globex(), await makeOutlet(globex()), 'G')
  const at = (id: string) => ({ id, posX: 5, posY: 5 })
  const cases: [object, number, string][] = [
    [{ outletId, tables: [] }, 400, 'tables'],
    [{ outletId, tables: Array(501).fill(at(a.id)) }, 400, 'tables'],
    [{ outletId, tables: [{ id: a.id, posX: 5 }] }, 400, 'tables[0].posY'],
    [{ outletId, tables: [at(a.id), at(`tbl_${UNKNOWN}`)] }, 404, 'tables[1].id'],
    [{ outletId, tables: [at(a.id), at(hidden.id)] }, 404, 'tables[1].id'],
    [{ outletId, tables: [at(a.id), at(a.id)] }, 422, 'tables[1].id'],
    [{ outletId, tables: [at(a.id), at(foreign.id)] }, 422, 'tables[1].id'],
    [{ outletId, floorId: a.floorId, tables: [at(a.id), at(upstairs.id)] }, 422, 'tables[1].id'],
    [{ outletId, floorId: foreign.floorId, tables: [at(a.id)] }, 422, 'floorId'],
    [{ outletId, floorId: `flr_${UNKNOWN}`, tables: [at(a.id)] }, 404, 'floorId'],
    [{ outletId: `out_${UNKNOWN}`, tables: [at(a.id)] }, 404, 'outletId'],
  ]
  for (const [body, status, param] of cases) {
    const refused = await acme().put('/tables/layout', body)
    expect(refusalOf(refused)).toMatchObject({ status, param })
  }
  const { tables } = (await acme().get(`/tables?outletId=${outletId}`)).data
  expect(tables.map((table: { posX: number }) => table.posX)).toEqual([0, 0])
})

test('a table no sale names is deleted; one a sale of any status names is deactivated', async () => {
  const outletId = await makeOutlet(acme())
  const unused = await makeTable(acme(), outletId, 'A')
  const gone = await acme().delete(`/tables/${unused.id}`)
  expect(gone.data).toEqual({ id: unused.id, deleted: true })
  for (const status of ['PARKED', 'COMPLETED', 'VOIDED'] as const) {
    const used = await makeTable(acme(), outletId, status)
    await insertSale(deps(), acme(), { outletId, tableId: used.id, status })
    const kept = await acme().delete(`/tables/${used.id}`)
    expect(kept.data).toMatchObject({ deactivated: true, table: { id: used.id, isActive: false } })
  }
})

test('a floor is deleted only without tables, active or not', async () => {
  const outletId = await makeOutlet(acme())
  const table = await makeTable(acme(), outletId, 'A')
  await acme().patch(`/tables/${table.id}`, { isActive: false })
  const refused = await acme().delete(`/floors/${table.floorId}`)
  expect(refusalOf(refused)).toMatchObject({ status: 409, code: 'CONFLICT' })
  await acme().delete(`/tables/${table.id}`)
  const gone = await acme().delete(`/floors/${table.floorId}`)
  expect(gone.data).toEqual({ id: table.floorId, deleted: true })
})

test.each([
  [{}, 'name'],
  [{ name: ' ' }, 'name'],
  [{ name: 'x'.repeat(61) }, 'name'],
  [{ name: 'A', sortOrder: -1 }, 'sortOrder'],
])('POST /floors refuses %j', async (fields, param) => {
  const refused = await acme().post('/floors', { outletId: await makeOutlet(acme()), ...fields })
  expect(refusalOf(refused)).toMatchObject({ status: 400, param })
})

test('floors may share a name and are listed by sortOrder, then name', async () => {
  const outletId = await makeOutlet(acme())
  for (const [name, sortOrder] of [
    ['B', 1],
    ['A', 1],
    ['A', 0],
  ])
    await acme().post('/floors', { outletId, name, sortOrder })
  const { floors } = (await acme().get(`/floors?outletId=${outletId}`)).data
  expect(floors.map((floor: { name: string; sortOrder: number }) => [floor.name, floor.sortOrder])).toEqual([
    ['A', 0],
    ['A', 1],
    ['B', 1],
  ])
  const renamed = await acme().patch(`/floors/${floors[2].id}`, { name: 'C' })
  expect(renamed.data.floor).toMatchObject({ name: 'C', sortOrder: 1 })
})

test('the plan caps active tables: the one above is refused, also by waking an inactive one', async () => {
  const cafe = await workspace('Capped')
  const outletId = await makeOutlet(cafe)
  const { id: sleeping } = await makeTable(cafe, outletId, 'sleeping')
  await cafe.patch(`/tables/${sleeping}`, { isActive: false })
  const row = await deps()
    .db.selectFrom('diningTables')
    .selectAll()
    .where('id', '=', sleeping)
    .executeTakeFirst()
  if (!row) throw new Error('made above')
  const rows = Array.from({ length: 1_000 }, (_, n) => ({
    ...row,
    id: `tbl_${n}`,
    label: `n${n}`,
    labelKey: `n${n}`,
    isActive: true,
  }))
  await deps().db.insertInto('diningTables').values(rows).execute()
  const { config } = deps()
  ;(config as { defaultTier: string }).defaultTier = 'growth'
  const answers = [
    await cafe.post('/tables', { outletId, label: 'more' }),
    await cafe.patch(`/tables/${sleeping}`, { isActive: true }),
  ]
  ;(config as { defaultTier: string }).defaultTier = 'business'
  expect(answers.map(refusalOf)).toEqual(
    Array(2).fill({ status: 403, code: 'LIMIT_REACHED', param: 'tables' }),
  )
})

test('tables and floors of another workspace answer 404 to every verb', async () => {
  const outletId = await makeOutlet(acme())
  const table = await makeTable(acme(), outletId, 'A')
  const answers = [
    await globex().get(`/tables?outletId=${outletId}`),
    await globex().get(`/tables/floor?outletId=${outletId}`),
    await globex().get(`/floors?outletId=${outletId}`),
    await globex().post('/tables', { outletId, label: 'B' }),
    await globex().post('/floors', { outletId, name: 'B' }),
    await globex().patch(`/tables/${table.id}`, { label: 'B' }),
    await globex().delete(`/tables/${table.id}`),
    await globex().patch(`/floors/${table.floorId}`, { name: 'B' }),
    await globex().delete(`/floors/${table.floorId}`),
    await globex().put('/tables/layout', { outletId, tables: [{ id: table.id, posX: 1, posY: 1 }] }),
  ]
  expect(answers.map((answer) => answer.status)).toEqual(Array(10).fill(404))
})
