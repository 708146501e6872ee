import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Api } from '../../../support/api.ts'
import { makeOutlet, makeTable } from '../../../support/build.ts'
import { insertSale } from '../../../support/rows.ts'
import { deps, useService, workspace } from '../../../support/service.ts'

useService({ synthetic: true })

const WORDS = ['NEW', 'PREPARING', 'READY', 'SERVED'] as const

/** The kitchen as a child would draw it: how far each item has come, 0 to 3. */
type Item = { id: string; steps: number; cancelled: boolean }
type Ticket = { id: string; table: number | null; voided: boolean; items: Item[] }
type Model = { tickets: Ticket[]; readyEvents: number }
type Real = { api: Api; outletId: string; tables: string[] }
type Step = 'advance' | 'back'

const live = (ticket: Ticket) => ticket.items.filter((item) => !item.cancelled)
const least = (ticket: Ticket) => Math.min(...live(ticket).map((item) => item.steps))
const onBoard = (ticket: Ticket) => !ticket.voided && least(ticket) < 3
const canStep = (item: Item, step: Step) =>
  !item.cancelled && (step === 'advance' ? item.steps < 3 : item.steps > 0)

function move(model: Model, items: readonly Item[], step: Step) {
  const before = model.tickets.map(least)
  for (const item of items) item.steps += step === 'advance' ? 1 : -1
  model.readyEvents += model.tickets.filter((ticket, n) => least(ticket) === 2 && before[n] !== 2).length
}

async function agree(model: Model, { api, outletId, tables }: Real) {
  const open = model.tickets.filter(onBoard)
  const [board, ready, counts] = await Promise.all(
    ['/kds', '/kds/ready', '/kds/counts'].map((path) => api.get(`${path}?outletId=${outletId}`)),
  )
  expect(
    board?.data.tickets.map((ticket: { id: string; state: string; items: { status: string }[] }) => [
      ticket.id,
      ticket.state,
      ticket.items.map((item) => item.status),
    ]),
  ).toEqual(
    open.map((ticket) => [ticket.id, WORDS[least(ticket)], ticket.items.map((item) => WORDS[item.steps])]),
  )
  expect(counts?.data).toEqual({
    active: open.length,
    ready: open.filter((ticket) => live(ticket).some((item) => item.steps === 2)).length,
  })
  const groups = new Map<string, string[]>()
  for (const ticket of open) {
    const key = ticket.table === null ? ticket.id : (tables[ticket.table] ?? '')
    const waiting = live(ticket).filter((item) => item.steps < 3)
    groups.set(key, [...(groups.get(key) ?? []), ...waiting.map((item) => item.id)])
  }
  expect(
    ready?.data.groups.map((group: { tableId: string | null; saleId: string; items: { id: string }[] }) => [
      group.tableId ?? group.saleId,
      group.items.map((item) => item.id),
    ]),
  ).toEqual([...groups])
  expect((await api.events()).length).toBe(model.readyEvents)
}

type Command = fc.AsyncCommand<Model, Real>
const at = <T>(list: readonly T[], index: number): T => {
  const found = list[index % list.length]
  if (found === undefined) throw new Error('an empty list is checked before')
  return found
}

const order = (table: number | null, items: readonly { steps: number; cancelled: boolean }[]): Command => ({
  check: () => true,
  toString: () => `order at ${table}: ${items.map((item) => item.steps).join('')}`,
  run: async (model, real) => {
    // The first item stays, as a bill always holds a line.
    const lines = items.map((item, n) => ({ ...item, cancelled: item.cancelled && n > 0 }))
    const made = await insertSale(deps(), real.api, {
      outletId: real.outletId,
      tableId: table === null ? null : at(real.tables, table),
      lines: lines.map(({ steps, cancelled }) => ({
        status: at(WORDS, steps),
        isActive: !cancelled,
        cancelledQty: cancelled ? 1 : 0,
      })),
    })
    const kept = lines.map((line, n) => ({ ...line, id: made.itemIds[n] ?? '' }))
    model.tickets.push({ id: made.id, table, voided: false, items: kept })
    await agree(model, real)
  },
})

const stepTicket = (index: number, step: Step): Command => ({
  check: (model) => model.tickets.length > 0,
  toString: () => `${step} ticket ${index}`,
  run: async (model, real) => {
    const ticket = at(model.tickets, index)
    const movable = ticket.items.filter((item) => canStep(item, step))
    const answer = await real.api.post(`/kds/${ticket.id}/${step}`)
    expect(answer.status).toBe(ticket.voided || movable.length === 0 ? 409 : 200)
    if (answer.status === 200) move(model, movable, step)
    await agree(model, real)
  },
})

const stepItem = (index: number, line: number, step: Step): Command => ({
  check: (model) => model.tickets.length > 0,
  toString: () => `${step} item ${line} of ticket ${index}`,
  run: async (model, real) => {
    const ticket = at(model.tickets, index)
    const item = at(ticket.items, line)
    const answer = await real.api.post(`/kds/items/${item.id}/${step}`)
    expect(answer.status).toBe(ticket.voided || !canStep(item, step) ? 409 : 200)
    if (answer.status === 200) move(model, [item], step)
    await agree(model, real)
  },
})

const serve = (table: number): Command => ({
  check: () => true,
  toString: () => `serve table ${table}`,
  run: async (model, real) => {
    const tickets = model.tickets.filter((ticket) => ticket.table === table && onBoard(ticket))
    const ready = tickets.flatMap((ticket) => live(ticket).filter((item) => item.steps === 2))
    const answer = await real.api.post(`/kds/tables/${at(real.tables, table)}/serve`)
    expect([answer.status, answer.data?.served]).toEqual(
      ready.length === 0 ? [409, undefined] : [200, ready.length],
    )
    move(model, ready, 'advance')
    await agree(model, real)
  },
})

const drop = (index: number): Command => ({
  check: (model) => model.tickets.length > 0,
  toString: () => `void ticket ${index}`,
  run: async (model, real) => {
    const ticket = at(model.tickets, index)
    await deps()
      .db.updateTable('sales')
      .set({ status: 'VOIDED', kitchenOpen: false })
      .where('id', '=', ticket.id)
      .execute()
    ticket.voided = true
    await agree(model, real)
  },
})

const step = fc.constantFrom<Step>('advance', 'back')
const line = fc.record({ steps: fc.nat(3), cancelled: fc.boolean() })
const commands = [
  fc
    .tuple(fc.option(fc.nat(1)), fc.array(line, { minLength: 1, maxLength: 4 }))
    .map(([table, items]) => order(table, items)),
  fc.tuple(fc.nat(5), step).map(([index, way]) => stepTicket(index, way)),
  fc.tuple(fc.nat(5), fc.nat(3), step).map(([index, item, way]) => stepItem(index, item, way)),
  fc.nat(1).map(serve),
  fc.nat(5).map(drop),
]

test('whatever is ordered, stepped, undone, served or voided, every board agrees with a plain model', async () => {
  await fc.assert(
    fc.asyncProperty(fc.commands(commands, { size: 'medium', maxCommands: 25 }), async (run) => {
      const api = await workspace('Model')
      const outletId = await makeOutlet(api)
      const tables = [await makeTable(api, outletId, '1'), await makeTable(api, outletId, '2')]
      const real = { api, outletId, tables: tables.map((table) => table.id) }
      await fc.asyncModelRun(() => ({ model: { tickets: [], readyEvents: 0 }, real }), run)
    }),
    { numRuns: 25 },
  )
})
