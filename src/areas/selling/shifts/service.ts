import { assert } from '../../../core/assert.ts'
import { type Page, pageOf } from '../../../core/cursor.ts'
import { conflict, invalid, notFound } from '../../../core/errors.ts'
import { newId } from '../../../core/ids.ts'
import { emptyToNull } from '../../../core/text.ts'
import { addMs } from '../../../core/time.ts'
import { spendApproval } from '../../../platform/auth/approvals.ts'
import { type Db, inTx, type Tx, type WriteDb } from '../../../platform/db/open.ts'
import type { Deps } from '../../../platform/deps.ts'
import { emit } from '../../../platform/events/outbox.ts'
import {
  beginKey,
  completeWrite,
  type IdempotencyKey,
  type Reply,
  retrying,
} from '../../../platform/http/idempotency.ts'
import { eachWorkspace } from '../../../platform/jobs/each-workspace.ts'
import { type AccountId, type Scope, scopeFor } from '../../../platform/scope.ts'
import { sha256 } from '../../../platform/secrets/secrets.ts'
import { getActiveOutlet, getOutlet } from '../../workspace/outlets/index.ts'
import { getSettings } from '../../workspace/settings/index.ts'
import { cashMoved, shiftClosed, shiftOpened } from './events.ts'
import {
  requireCashInDrawer,
  requireCategory,
  requireOpenShift,
  type ShiftBookings,
  summaryOf,
} from './rules.ts'
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
import * as statements from './statements.ts'
import * as figures from './statements-figures.ts'
import * as store from './store.ts'

type ShiftRow = NonNullable<Awaited<ReturnType<typeof store.find>>>

/**
 * Returns the shift with its summary: computed while it is open, stored after the close (B-shift-5). Throws 404 if
 * unknown.
 */
export async function getShift(db: Db, scope: Scope, id: string): Promise<ShiftDetail> {
  const shift = await store.find(db, scope, id)
  if (!shift) throw notFound('shift')
  return detailOf(db, scope, shift)
}

async function detailOf(db: Db, scope: Scope, shift: ShiftRow): Promise<ShiftDetail> {
  const stored = shift.summary as ShiftSummary | null
  const summary =
    stored === null ? await liveSummary(db, scope, shift) : await completed(db, scope, shift, stored)
  return { ...withExpected(shift, summary.cash.expected), summary }
}

/** A summary that was stored before service charges, rounding and credit existed lacks their figures. */
async function completed(db: Db, scope: Scope, { id }: { id: string }, early: ShiftSummary) {
  const stored = {
    ...early,
    creditPayments: early.creditPayments ?? [],
    cash: { ...early.cash, creditPayments: early.cash.creditPayments ?? 0 },
  }
  if ('taxes' in early) return stored
  const { taxes, service, rounding } = await figures.findBooked(db, scope, id)
  const { cash, ...sums } = stored as ShiftSummary
  return { ...sums, taxes: [...taxes], service, cash: { ...cash, rounding } }
}

/** Adds the current figures to a shift whose figures are not stored yet: an open or just closed one. */
const withExpected = <S extends { countedCash: number | null; difference: number | null }>(
  shift: S,
  expectedCash: number,
) => ({
  ...shift,
  expectedCash,
  difference: shift.difference ?? (shift.countedCash === null ? null : shift.countedCash - expectedCash),
})

const liveSummary = async (db: Db, scope: Scope, shift: { id: string; openingFloat: number }) =>
  summaryOf(shift.openingFloat, await figures.findBooked(db, scope, shift.id))

/** Lists shifts, newest first. A filter by an unknown outlet returns an empty page (B-ids-3). */
export async function listShifts(db: Db, scope: Scope, query: ShiftQuery): Promise<Page<Shift>> {
  const { items, cursor, hasMore } = pageOf(await store.list(db, scope, query), query.limit)
  const live = items.filter(({ expectedCash }) => expectedCash === null).map(({ id }) => id)
  const flow = await figures.listCashFlow(db, scope, live)
  const withCash = items.map((shift) =>
    withExpected(shift, shift.expectedCash ?? shift.openingFloat + (flow.get(shift.id) ?? 0)),
  )
  return { items: withCash, cursor, hasMore }
}

/**
 * Returns the caller's open shift at the outlet, or null. Throws 422 without an outlet and 404 for an unknown one
 * (B-ids-3).
 */
export async function getCurrentShift(
  db: Db,
  scope: Scope,
  outletId: string | undefined,
): Promise<ShiftDetail | null> {
  if (!outletId) throw invalid('outletId', 'Send outletId to choose the outlet')
  await getOutlet(db, scope, outletId, 'outletId')
  const shift = await store.findOpen(db, scope, outletId)
  return shift ? detailOf(db, scope, shift) : null
}

const alreadyOpenError = () =>
  conflict('You already have an open shift at this outlet; close it before you open another one')

/** Opens a shift. Throws 409 if the cashier already has an open one at the outlet (B-shift-1). */
export async function openShift(tx: Tx, scope: Scope, input: OpenIn): Promise<ShiftDetail> {
  await getOutlet(tx, scope, input.outletId, 'outletId')
  if (await store.findOpen(tx, scope, input.outletId)) throw alreadyOpenError()
  await getActiveOutlet(tx, scope, input.outletId)
  const id = await store.insert(tx, scope, input)
  if (id === undefined) throw alreadyOpenError()
  const shift = await getShift(tx, scope, id)
  await emit(tx, scope, shiftOpened, id, { shift })
  return shift
}

/**
 * Closes any open shift of the workspace with any count; later bookings go to another shift or none (B-shift-1,
 * B-shift-7).
 * Works in two steps, so that no sale waits while a long shift is added up (decision 0013). The first step takes the
 * lock that bookings share; after its commit the shift accepts no booking. The second step reads the figures of that
 * moment and stores them with the reply. In between, bills can be completed and sales voided (B-shift-7).
 * The Idempotency-Key commits with the first step, so that a different request with the same key closes no shift.
 * A close that is interrupted between the steps is finished by a retry or by `finishCloses`.
 */
export async function closeShift(
  deps: Deps,
  scope: Scope,
  { idem, id, input }: { idem: IdempotencyKey | null; id: string; input: CloseIn },
): Promise<Reply> {
  const end = (tx: Tx) => endBookings(tx, scope, { id, input, idem })
  if (idem) {
    const begun = await beginKey(deps, scope, idem, end)
    if ('replay' in begun) return begun.replay
  } else await retrying(scope, () => inTx(deps.db, end))
  const booked = await figures.findBooked(deps.db, scope, id)
  return completeWrite(deps, scope, idem, async (tx) => ({
    status: 200,
    value: { shift: await writeFigures(tx, scope, id, booked) },
    secret: false,
  }))
}

/**
 * The first step. Throws 404 for an unknown shift and 409 for a closed one. A retry passes until the figures are
 * stored, and afterwards under the same key: the job may have finished the close meanwhile.
 */
export async function endBookings(
  tx: Tx,
  scope: Scope,
  {
    id,
    input,
    idem,
  }: { id: string; input: CloseIn; idem: Pick<IdempotencyKey, 'key' | 'fingerprint'> | null },
): Promise<void> {
  const shift = await store.lock(tx, scope, id)
  if (!shift) throw notFound('shift')
  const count = { countedCash: input.countedCash, notes: emptyToNull(input.notes) }
  const closeRequest = idem && sha256(`${idem.key} ${idem.fingerprint}`)
  const isSame =
    shift.closedBy === scope.actor.id &&
    shift.countedCash === count.countedCash &&
    shift.notes === count.notes
  const isUnfinished = shift.status === 'CLOSED' && shift.summary === null
  const isSameRequest = closeRequest !== null && shift.closeRequest === closeRequest
  if (isSameRequest || (isUnfinished && isSame)) return
  requireOpenShift(shift)
  const openBills = await figures.countOpenBills(tx, scope, shift)
  await store.close(tx, scope, id, { ...count, closeRequest, openBills })
}

/** The second step. Only the first call stores the figures and announces the close. */
async function writeFigures(tx: Tx, scope: Scope, id: string, booked: ShiftBookings): Promise<ShiftDetail> {
  const closed = await store.find(tx, scope, id)
  assert(closed, 'a shift that was just closed exists')
  const isFirst = await store.writeFigures(tx, scope, id, summaryOf(closed.openingFloat, booked))
  const shift = await getShift(tx, scope, id)
  if (isFirst) await emit(tx, scope, shiftClosed, id, { shift })
  return shift
}

/** No request lasts this long, so no process still works on the close. */
const CUT_OFF_MS = 60_000
const NOT_FINISHED = 'could not finish an interrupted close; retrying later'

/**
 * Finishes closes that were interrupted by a crash and never retried. If one fails, finishes the others and then
 * throws.
 */
export async function finishCloses(
  { db, clock, log }: Pick<Deps, 'db' | 'clock' | 'log'>,
  stop?: AbortSignal,
): Promise<void> {
  const now = clock.now()
  const finish = async ({ accountId, id, closedBy }: statements.UnfinishedClose) => {
    const scope = scopeOfSweep(accountId, closedBy, now)
    const booked = await figures.findBooked(db, scope, id)
    await inTx(db, (tx) => writeFigures(tx, scope, id, booked))
  }
  await eachWorkspace({ log, failure: NOT_FINISHED, stop }, uncounted(db, addMs(now, -CUT_OFF_MS)), finish)
}

async function* uncounted(db: WriteDb, closedBefore: string) {
  let last: statements.UnfinishedClose | null = null
  do {
    const portion = await statements.listUncounted(db, closedBefore, last)
    yield* portion
    last = portion.at(-1) ?? null
  } while (last)
}

const scopeOfSweep = (accountId: AccountId, actorId: string, now: string): Scope =>
  scopeFor(
    { accountId, actor: { kind: 'member', id: actorId, name: '', role: 'OWNER', readOnly: false } },
    { defaultTier: 'free', requestId: newId('request'), address: null, now },
  )

/**
 * Records cash put into or taken out of the drawer outside of sales (B-shift-6). Throws 409 for a closed shift, and
 * 422 above the expected cash or for an unknown category (B-expense-2).
 */
export async function moveCash(
  tx: Tx,
  scope: Scope,
  id: string,
  input: CashMovementIn,
): Promise<{ cashMovement: CashMovement; shift: ShiftDetail }> {
  const current = await lockOpen(tx, scope, id)
  if (input.category) requireCategory(input.category, (await getSettings(tx, scope)).expenseCategories)
  const { cash } = await liveSummary(tx, scope, current)
  requireCashInDrawer(input, cash.expected)
  const approvedBy = input.type === 'PAID_OUT' ? await spendApproval(tx, scope, 'paidOut', id) : null
  const cashMovement = await store.insertMovement(tx, scope, id, { ...input, approvedBy })
  if (approvedBy !== null) await emit(tx, scope, cashMoved, cashMovement.id, { cashMovement })
  return { cashMovement, shift: await getShift(tx, scope, id) }
}

async function lockOpen(tx: Tx, scope: Scope, id: string) {
  const shift = await store.lock(tx, scope, id)
  if (!shift) throw notFound('shift')
  requireOpenShift(shift)
  return shift
}
