import { type Db, named, namedWrite, type Tx } from '../../../platform/db/open.ts'
import { statement, writeStatement } from '../../../platform/db/statement.ts'
import type { Scope } from '../../../platform/scope.ts'

const FORGET_DRAFTS = writeStatement(
  'customer_forget_drafts',
  `update sales s set delivery_draft = null where s.account_id = $1 and s.id in (
      select d.id from sales d where d.account_id = $1 and d.customer_id = $2 and d.delivery_draft is not null
      order by d.id for update)`,
)

/** Erases the delivery drafts of the customer's sales; locks the sales in order of id. */
export const eraseDrafts = (tx: Tx, scope: Scope, customerId: string) =>
  namedWrite(tx, FORGET_DRAFTS, [scope.accountId, customerId])

const FORGET_REQUESTS = writeStatement(
  'customer_forget_requests',
  `delete from shipment_requests r where r.account_id = $1 and r.sale_id in (
      select s.id from sales s where s.account_id = $1 and s.customer_id = $2)`,
)

/** Drops open requests to a partner for shipments of the customer. */
export const eraseRequests = (tx: Tx, scope: Scope, customerId: string) =>
  namedWrite(tx, FORGET_REQUESTS, [scope.accountId, customerId])

const SHIPMENTS = statement(
  'customer_shipments',
  `select p.id, p.status from shipments p join sales s on s.account_id = p.account_id and s.id = p.sale_id
    where p.account_id = $1 and s.account_id = $1 and s.customer_id = $2 order by p.id`,
)

export const listShipments = (db: Db, scope: Scope, customerId: string) =>
  named<{ id: string; status: string }>(db, SHIPMENTS, [scope.accountId, customerId])

// The postal code stays, because it identifies no person and reports use it.
const ERASE_SHIPMENTS = writeStatement(
  'customer_erase_shipments',
  `update shipments p set destination = p.destination || $3::jsonb, history = coalesce((
      select jsonb_agg(t.step || '{"note": null}' order by t.position)
        from jsonb_array_elements(p.history) with ordinality as t(step, position)), '[]')
    where p.account_id = $1 and p.id = any($2::text[])`,
)

export const eraseDestinations = (tx: Tx, scope: Scope, ids: readonly string[], nowhere: object) =>
  namedWrite(tx, ERASE_SHIPMENTS, [scope.accountId, ids, JSON.stringify(nowhere)])

const ERASED_SALE = statement(
  'customer_erased_of_sale',
  `select c.id from sales s join customers c on c.account_id = s.account_id and c.id = s.customer_id
    where s.account_id = $1 and c.account_id = $1 and s.id = $2 and not c.is_active`,
)

/** Returns true if the customer of a sale was erased. */
export const isErasedOf = async (db: Db, scope: Scope, saleId: string): Promise<boolean> =>
  (await named(db, ERASED_SALE, [scope.accountId, saleId])).length > 0
