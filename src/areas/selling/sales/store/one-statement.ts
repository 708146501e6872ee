import { assert } from '../../../../core/assert.ts'
import { namedWrite, type WriteDb } from '../../../../platform/db/open.ts'
import { isDivisionByZero } from '../../../../platform/db/pg-errors.ts'
import { BUSY } from '../../../../platform/db/shared-writes.ts'
import { causeOf } from '../../../../platform/events/outbox.ts'
import type { SaleChange } from './change.ts'
import { type Columns, itemsJson, paymentsJson, SALE_COLUMNS, saleArrays, saleValues } from './columns.ts'
import { INSERT_SALE, INSERT_SALES } from './create-texts.ts'
import { differenceOf } from './difference.ts'
import { valuesOfRow, valuesOfRows } from './parameters.ts'
import { EVENTS, GOODS, ITEM_ROWS, MOVES, PAYMENT_ROWS, type SaleText } from './parts.ts'
import { COMPLETE, PAY } from './pay-texts.ts'

/** The values of a change that have one column each; a text uses some of them. */
function singleValues(change: SaleChange) {
  const { scope, after, number, guards, seen, reply, idempotency } = change
  const { customer } = after.around
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
    guardShiftId: seen?.shiftId,
    guards,
    isProved: seen !== null,
    seen: seen?.sale,
    outletSeen: seen?.outlet,
    policySeen: seen?.policy,
    apiKeyId: scope.actor.kind === 'apiKey' ? scope.actor.id : null,
    placeholder: number?.placeholder,
    saleJson: reply.sale,
    warnings: reply.stockWarnings,
    notDone: reply.warnings,
    customerId: customer?.id,
    customerName: customer?.name,
    customerPhone: customer?.phone,
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

function textOfOne({ before, after }: SaleChange): SaleText {
  if (before === null) return INSERT_SALE
  return after.status === 'COMPLETED' ? COMPLETE : PAY
}

/**
 * Writes changes in one statement: one change of any kind, or new sales, no two of them under one Idempotency-Key of
 * a workspace. Answers as `writeSaleChanges`.
 */
export async function writeInOneStatement(
  db: WriteDb,
  changes: readonly SaleChange[],
  waits: boolean,
): Promise<readonly (string | null | typeof BUSY)[] | null> {
  const only = changes.length === 1 && waits ? (changes[0] ?? null) : null
  assert(only || changes.every(({ before }) => before === null), 'only new sales share a statement')
  const { statement, lists } = only ? textOfOne(only) : INSERT_SALES
  const values = [...lists.flatMap((list) => valuesOf(list, changes, only)), ...(only ? [] : [waits])]
  const rows = await namedWrite<{ n?: number; data: string | null }>(db, statement, values).catch(
    (error: unknown) => {
      // A shift was closed while the statement waited.
      if (isDivisionByZero(error)) return null
      throw error
    },
  )
  if (rows === null) return null
  const replies = new Map<number, string | typeof BUSY>(rows.map(({ n = 1, data }) => [n, data ?? BUSY]))
  return changes.map((_, index) => replies.get(index + 1) ?? null)
}
