import { namedWrite, type Tx } from '../../../../platform/db/open.ts'
import { writeStatement } from '../../../../platform/db/statement.ts'
import type { Scope } from '../../../../platform/scope.ts'
import type { Item, Payment, SaleChange } from '../sale/types.ts'
import {
  assignmentsOf,
  ITEM_COLUMNS,
  itemsJson,
  PAYMENT_COLUMNS,
  paymentsJson,
  SALE_COLUMNS,
  saleJson,
  typedNamesOf,
} from './columns.ts'
import { runInOrder } from './parts.ts'
import { insertRefund } from './refunds.ts'
import { insertItems, insertPayments } from './rows.ts'

const UPDATE_SALE = writeStatement(
  'sale_update',
  `update sales s set ${assignmentsOf(SALE_COLUMNS)}
    from json_to_recordset($3::json) as x(${typedNamesOf(SALE_COLUMNS)}) where s.account_id = $1 and s.id = $2`,
)

const UPDATE_ITEMS = writeStatement(
  'sale_items_update',
  `update sale_items i set ${assignmentsOf(ITEM_COLUMNS)}
    from json_to_recordset($3::json) as x(id text, ${typedNamesOf(ITEM_COLUMNS)})
    where i.account_id = $1 and i.sale_id = $2 and i.id = x.id`,
)

const DELETE_ITEMS = writeStatement(
  'sale_items_delete',
  'delete from sale_items where account_id = $1 and sale_id = $2 and id = any($3)',
)

const UPDATE_PAYMENTS = writeStatement(
  'payments_update',
  `update payments p set ${assignmentsOf(PAYMENT_COLUMNS)}
    from json_to_recordset($3::json) as x(id text, ${typedNamesOf(PAYMENT_COLUMNS)})
    where p.account_id = $1 and p.sale_id = $2 and p.id = x.id`,
)

/** Writes the difference between two states of a locked sale, with one statement for each kind of row. */
export async function save(tx: Tx, scope: Scope, { before, after }: SaleChange) {
  const at = [scope.accountId, after.id]
  const items = changesOf<Item>(before.items, after.items)
  const payments = changesOf<Payment>(before.payments, after.payments)
  const known = new Set(before.refunds.map(({ id }) => id))
  await runInOrder({
    s: () => namedWrite(tx, UPDATE_SALE, [...at, `[${saleJson(after)}]`]),
    i: async () => {
      if (items.removed.length > 0) await namedWrite(tx, DELETE_ITEMS, [...at, items.removed])
      if (items.changed.length > 0) await namedWrite(tx, UPDATE_ITEMS, [...at, itemsJson(items.changed)])
      if (items.added.length > 0) await insertItems(tx, scope, items.added, { saleId: after.id })
    },
    p: async () => {
      if (payments.changed.length > 0)
        await namedWrite(tx, UPDATE_PAYMENTS, [...at, paymentsJson(payments.changed)])
      if (payments.added.length > 0) await insertPayments(tx, scope, payments.added, { saleId: after.id })
    },
    r: async () => {
      for (const refund of after.refunds) if (!known.has(refund.id)) await insertRefund(tx, scope, refund)
    },
  })
}

/** Rows are compared by identity: a changed row is a new object. */
function changesOf<T extends { id: string }>(before: readonly T[], after: readonly T[]) {
  const known = new Map(before.map((row) => [row.id, row]))
  const kept = new Set(after.map((row) => row.id))
  return {
    added: after.filter((row) => !known.has(row.id)),
    changed: after.filter((row) => known.has(row.id) && known.get(row.id) !== row),
    removed: before.filter((row) => !kept.has(row.id)).map((row) => row.id),
  }
}
