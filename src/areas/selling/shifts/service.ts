import { type Page, pageOf } from '../../../core/cursor.ts'
import { conflict, invalid, notFound } from '../../../core/errors.ts'
import type { Db, Tx } from '../../../platform/db/open.ts'
import { emit } from '../../../platform/outbox.ts'
import type { Scope } from '../../../platform/scope.ts'
import { getActiveOutlet, getOutlet } from '../../workspace/outlets/index.ts'
import { refuseClosed, refuseEmptyDrawer, summaryOf } from './rules.ts'
import type {
  CashMovement,
  CashMovementIn,
  CloseIn,
  OpenIn,
  Shift,
  ShiftDetail,
  ShiftQuery,
  ShiftSummary,
} from './schema.ts'
import * as store from './store.ts'
import * as figures from './store-figures.ts'

type Row = NonNullable<Awaited<ReturnType<typeof store.find>>>

/** The shift with its summary: live while it is open, as stored at close afterwards (contract 11.2). 404. */
export async function getShift(db: Db, scope: Scope, id: string): Promise<ShiftDetail> {
  const shift = await store.find(db, scope, id)
  if (!shift) throw notFound('shift')
  return detailOf(db, scope, shift)
}

async function detailOf(db: Db, scope: Scope, shift: Row): Promise<ShiftDetail> {
  const summary =
    shift.status === 'CLOSED' ? (shift.summary as ShiftSummary) : await liveSummary(db, scope, shift)
  return { ...shift, expectedCash: summary.cash.expected, summary }
}

const liveSummary = async (db: Db, scope: Scope, shift: { id: string; openingFloat: number }) =>
  summaryOf(shift.openingFloat, await figures.findBooked(db, scope, shift.id))

/** Newest first; a filter by an unknown outlet answers an empty page (contract 26.4). */
export async function listShifts(db: Db, scope: Scope, query: ShiftQuery): Promise<Page<Shift>> {
  const { items, cursor, hasMore } = pageOf(await store.list(db, scope, query), query.limit)
  const open = items.filter(({ status }) => status === 'OPEN').map(({ id }) => id)
  const flow = await figures.listCashFlow(db, scope, open)
  const withCash = items.map((shift) => ({
    ...shift,
    expectedCash: shift.expectedCash ?? shift.openingFloat + (flow.get(shift.id) ?? 0),
  }))
  return { items: withCash, cursor, hasMore }
}

/** The caller's open shift at the outlet, or null. 422 without an outlet, 404 for one nobody knows (spec 4.11). */
export async function getCurrentShift(
  db: Db,
  scope: Scope,
  outletId: string | undefined,
): Promise<ShiftDetail | null> {
  if (!outletId) throw invalid('outletId', 'Name the outlet whose shift you want')
  await getOutlet(db, scope, outletId, 'outletId')
  const shift = await store.findOpen(db, scope, outletId)
  return shift ? detailOf(db, scope, shift) : null
}

const alreadyOpen = () =>
  conflict('You already have an open shift at this outlet; close it before you open another one')

/** One open shift per cashier and outlet: a second one is 409 (spec 3.8). */
export async function openShift(tx: Tx, scope: Scope, input: OpenIn): Promise<ShiftDetail> {
  await getOutlet(tx, scope, input.outletId, 'outletId')
  if (await store.findOpen(tx, scope, input.outletId)) throw alreadyOpen()
  await getActiveOutlet(tx, scope, input.outletId)
  const id = await store.insert(tx, scope, input)
  if (id === undefined) throw alreadyOpen()
  const shift = await getShift(tx, scope, id)
  await emit(tx, scope, 'service.shift.opened.v1', id, { shift })
  return shift
}

/** Closes any open shift of the workspace with any count; what is booked later goes elsewhere (contract 11.3, S6). */
export async function closeShift(tx: Tx, scope: Scope, id: string, input: CloseIn): Promise<ShiftDetail> {
  const current = await lockOpen(tx, scope, id)
  const summary = await liveSummary(tx, scope, current)
  const { countedCash } = input
  const difference = countedCash - summary.cash.expected
  await store.close(tx, scope, id, { countedCash, difference, notes: input.notes || null, summary })
  const shift = await getShift(tx, scope, id)
  await emit(tx, scope, 'service.shift.closed.v1', id, { shift })
  return shift
}

/** Cash put into or taken out of the drawer besides sales (contract 11.5). 409 closed, 422 beyond what it holds. */
export async function moveCash(
  tx: Tx,
  scope: Scope,
  id: string,
  input: CashMovementIn,
): Promise<{ cashMovement: CashMovement; shift: ShiftDetail }> {
  const current = await lockOpen(tx, scope, id)
  const { cash } = await liveSummary(tx, scope, current)
  refuseEmptyDrawer(input, cash.expected)
  const cashMovement = await store.insertMovement(tx, scope, id, input)
  return { cashMovement, shift: await getShift(tx, scope, id) }
}

async function lockOpen(tx: Tx, scope: Scope, id: string) {
  const shift = await store.findForUpdate(tx, scope, id)
  if (!shift) throw notFound('shift')
  refuseClosed(shift)
  return shift
}
