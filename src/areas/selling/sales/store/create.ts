import { assert } from '../../../../core/assert.ts'
import { isSharded, namedWrite, type WriteDb } from '../../../../platform/db/open.ts'
import { isDivisionByZero } from '../../../../platform/db/pg-errors.ts'
import { BUSY } from '../../../../platform/db/shared-writes.ts'
import { causeOf } from '../../../../platform/events/outbox.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { itemsJson, paymentsJson, saleArrays, saleValues } from './columns.ts'
import { insertSaleInSteps } from './create-steps.ts'
import { CHANGES, INSERT_SALE, INSERT_SALES } from './create-texts.ts'
import type { NewSale } from './fresh.ts'
import { valuesOfRow, valuesOfRows } from './parameters.ts'
import { EVENTS, GOODS, MOVES } from './parts.ts'

const changeOf = ({ scope, fresh }: SaleToWrite) => ({
  accountId: scope.accountId,
  id: fresh.sale.id,
  outletId: fresh.sale.outletId,
  createdAt: fresh.sale.createdAt,
  day: fresh.day,
  actorId: scope.actor.id,
  stamp: scope.now,
  cause: causeOf(scope),
  key: fresh.idem?.key,
  fingerprint: fresh.idem?.fingerprint,
  guardShiftId: fresh.guardShiftId,
  isProved: fresh.seen !== null,
  outletSeen: fresh.seen?.outlet,
  policySeen: fresh.seen?.policy,
  apiKeyId: scope.actor.kind === 'apiKey' ? scope.actor.id : null,
  placeholder: fresh.placeholder,
  saleJson: fresh.saleJson,
  warnings: fresh.warnings,
  notDone: fresh.notDone,
})

export type SaleToWrite = { scope: Scope; fresh: NewSale }

const numbered = <R extends object>(
  all: readonly SaleToWrite[],
  rowsFrom: (fresh: NewSale) => readonly R[],
) => all.flatMap(({ fresh }, index) => rowsFrom(fresh).map((row) => ({ ...row, n: index + 1 })))

type Row = { n: number; data: string | null }

/**
 * Writes new sales, no two of them under one Idempotency-Key of a workspace. Returns one entry for each, in order:
 * the JSON text of its reply, null if a fact that it read has changed, or BUSY if a row that it needs is locked and
 * the statement does not wait. A sale with null or BUSY is not written. Null instead of the list if a shift was
 * closed meanwhile: nothing is written at all.
 */
export async function insertSales(
  db: WriteDb,
  all: readonly SaleToWrite[],
  { waits }: { waits: boolean },
): Promise<readonly (string | null | typeof BUSY)[] | null> {
  const sales = all.map(({ fresh }) => fresh.sale)
  const one = all.length === 1 && waits ? all[0] : undefined
  const lists = [
    ...(one ? valuesOfRow(CHANGES, changeOf(one)) : valuesOfRows(CHANGES, all.map(changeOf))),
    ...valuesOfRows(
      GOODS,
      numbered(all, (fresh) => fresh.goods),
    ),
    ...valuesOfRows(
      MOVES,
      numbered(all, (fresh) => fresh.moves),
    ),
    ...valuesOfRows(
      EVENTS,
      numbered(all, (fresh) => fresh.events),
    ),
    ...(one ? saleValues(one.fresh.sale) : saleArrays(sales)),
    itemsJson(sales.flatMap((sale) => sale.items)),
    paymentsJson(sales.flatMap((sale) => sale.payments)),
  ]
  const sent = one
    ? namedWrite<Row>(db, INSERT_SALE, lists)
    : namedWrite<Row>(db, INSERT_SALES, [...lists, waits])
  const rows = await sent.catch((error: unknown) => {
    if (isDivisionByZero(error)) return null
    throw error
  })
  if (rows === null) return null
  const answers = new Map<number, string | typeof BUSY>(rows.map(({ n, data }) => [n, data ?? BUSY]))
  return all.map((_, index) => answers.get(index + 1) ?? null)
}

/**
 * Writes one new sale and returns the JSON text of its reply. Returns null, and writes no row, if a fact that it read
 * has changed.
 */
export async function insertSale(db: WriteDb, scope: Scope, fresh: NewSale): Promise<string | null> {
  if (isSharded(db)) return insertSaleInSteps(db, scope, fresh)
  const [answer = null] = (await insertSales(db, [{ scope, fresh }], { waits: true })) ?? []
  assert(answer !== BUSY, 'a statement that waits finds nothing busy')
  return answer
}
