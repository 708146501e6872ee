import { assert } from '../../../../core/assert.ts'
import { namedWrite, type WriteDb } from '../../../../platform/db/open.ts'
import { isDivisionByZero } from '../../../../platform/db/pg-errors.ts'
import { BUSY } from '../../../../platform/db/shared-writes.ts'
import { causeOf } from '../../../../platform/events/outbox.ts'
import type { SaleChange, WrittenSale } from './change.ts'
import { type Columns, itemsJson, paymentsJson, SALE_COLUMNS, saleArrays, saleValues } from './columns.ts'
import { differenceOf } from './difference.ts'
import { valuesOfRow, valuesOfRows } from './parameters.ts'
import { EVENTS, GOODS, GUARDS, ITEM_ROWS, MOVES, PAYMENT_ROWS } from './parts.ts'
import { INSERT_SALE, WRITE_SALES } from './texts.ts'

/** The values of a change that have one column each; a text uses some of them. */
function singleValues(change: SaleChange) {
  const { scope, before, after, number, seen, reply, idempotency } = change
  assert(reply, 'a statement that writes a sale also answers')
  return {
    accountId: scope.accountId,
    id: after.id,
    outletId: after.outletId,
    createdAt: scope.now,
    day: number?.day,
    actorId: scope.actor.id,
    stamp: scope.now,
    cause: causeOf(scope),
    key: idempotency?.key,
    fingerprint: idempotency?.fingerprint,
    shiftSeen: seen?.shiftId,
    isProved: seen !== null,
    saleSeen: seen?.sale,
    outletSeen: seen?.outlet,
    policySeen: seen?.policy,
    apiKeyId: scope.actor.kind === 'apiKey' ? scope.actor.id : null,
    placeholder: number?.placeholder,
    saleJson: reply.sale,
    warnings: reply.stockWarnings,
    // A payment has no part that could be without effect.
    notDone: before === null ? `,"warnings":${reply.warnings}` : null,
    answerStatus: before === null ? 201 : 200,
    number: before?.number,
  }
}

const numbered = <R extends object>(
  changes: readonly SaleChange[],
  rowsFrom: (change: SaleChange) => readonly R[],
) => changes.flatMap((change, index) => rowsFrom(change).map((row) => ({ ...row, n: index + 1 })))

const itemsOf = ({ before, after }: SaleChange) => {
  const { added, changed } = differenceOf(before?.items ?? [], after.items)
  return [...added, ...changed]
}
const paymentsOf = ({ before, after }: SaleChange) =>
  differenceOf(before?.payments ?? [], after.payments).added

/** The values of the lists that have several rows for each sale. */
const LISTED = new Map<Columns, (changes: readonly SaleChange[]) => unknown[]>([
  [
    GOODS,
    (all) =>
      valuesOfRows(
        GOODS,
        numbered(all, ({ seen }) => seen?.goods ?? []),
      ),
  ],
  [
    GUARDS,
    (all) =>
      valuesOfRows(
        GUARDS,
        numbered(all, ({ guards }) => guards.map((shiftId) => ({ shiftId }))),
      ),
  ],
  [
    MOVES,
    (all) =>
      valuesOfRows(
        MOVES,
        numbered(all, ({ movements }) => movements),
      ),
  ],
  [
    EVENTS,
    (all) =>
      valuesOfRows(
        EVENTS,
        numbered(all, ({ events }) => events),
      ),
  ],
  [ITEM_ROWS, (all) => [itemsJson(all.flatMap(itemsOf))]],
  [PAYMENT_ROWS, (all) => [paymentsJson(all.flatMap(paymentsOf))]],
])

function valuesOf(list: Columns, changes: readonly SaleChange[], only: SaleChange | null): unknown[] {
  const listed = LISTED.get(list)
  if (listed) return listed(changes)
  if (list === SALE_COLUMNS)
    return only ? saleValues(only.after) : saleArrays(changes.map(({ after }) => after))
  return only ? valuesOfRow(list, singleValues(only)) : valuesOfRows(list, changes.map(singleValues))
}

/** The answer about a change: null if a fact that it was decided from has changed, BUSY if it would have to wait. */
export type WriteOutcome = WrittenSale | null | typeof BUSY

/**
 * Writes changes in one statement: new sales, and payments on open bills, no two of them on one sale or under one
 * Idempotency-Key of a workspace. Answers as `writeSaleChanges`.
 */
export async function writeInOneStatement(
  db: WriteDb,
  changes: readonly SaleChange[],
  waits: boolean,
): Promise<readonly WriteOutcome[] | null> {
  const [first] = changes
  const only = changes.length === 1 && waits && first?.before === null ? first : null
  const { statement, lists } = only ? INSERT_SALE : WRITE_SALES
  const values = [...lists.flatMap((list) => valuesOf(list, changes, only)), ...(only ? [] : [waits])]
  const rows = await namedWrite<{ n: number } & { [K in keyof WrittenSale]: WrittenSale[K] | null }>(
    db,
    statement,
    values,
  ).catch((error: unknown) => {
    // A shift was closed while the statement waited.
    if (isDivisionByZero(error)) return null
    throw error
  })
  if (rows === null) return null
  const outcomes = new Map<number, WriteOutcome>(
    rows.map(({ n, data, number, seen }) => [
      n,
      data !== null && number !== null ? { data, number, seen } : BUSY,
    ]),
  )
  return changes.map((_, index) => outcomes.get(index + 1) ?? null)
}
