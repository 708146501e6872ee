import { sql } from 'kysely'
import { firstIdAt } from '../../../core/ids.ts'
import type { Db } from '../../../platform/db/open.ts'
import type { Scope } from '../../../platform/scope.ts'

/** Events that tell of the customer's record itself. The pattern stands in the text: it is the predicate of the index. */
export async function listOwnEvents(db: Db, scope: Scope, customerId: string) {
  const { rows } = await sql<{ id: string; body: string }>`select id, body from events
    where account_id = ${scope.accountId} and ref_id = ${customerId}
      and type like 'service.customer.%'`.execute(db)
  return rows
}

/** An event is named a little after the instant its request carries, later when it waited for locks or began anew. */
const MARGIN_MS = 60_000

/** A time in which a sale was written: from opening to completion, and each return of money. */
export type Written = { saleId: string; fromMs: number; toMs: number }

/** When up to `limit` sales of the customer were written, in order of sale; those after the sale `after`. */
export async function listWritten(
  db: Db,
  scope: Scope,
  customerId: string,
  { after, limit }: { after: string; limit: number },
): Promise<Written[]> {
  const { accountId } = scope
  const { rows } = await sql<Written>`with mine as (
      select id, created_at, completed_at, voided_at, updated_at from sales
      where account_id = ${accountId} and customer_id = ${customerId} and id > ${after} order by id limit ${limit}
    ), written as (
      select id, created_at as since, coalesce(completed_at, voided_at, updated_at) as until from mine
      union all select id, voided_at, voided_at from mine where voided_at is not null
      union all select m.id, r.created_at, r.created_at
        from mine m join refunds r on r.account_id = ${accountId} and r.sale_id = m.id
    )
    select id as "saleId", (extract(epoch from since) * 1000)::bigint - ${MARGIN_MS} as "fromMs",
      (extract(epoch from until) * 1000)::bigint + ${MARGIN_MS} as "toMs" from written order by id`.execute(
    db,
  )
  return rows
}

/**
 * The events of sales, found by the time in their ids: an index by sale would be paid for by every sale that is made,
 * for the sake of the few customers who leave. `offset 0` keeps the planner to those ranges of the primary key.
 */
export async function listSaleEvents(db: Db, scope: Scope, written: readonly Written[]) {
  const { rows } = await sql<{ id: string; body: string }>`select e.id, e.body
    from unnest(${written.map(({ saleId }) => saleId)}::text[],
      ${written.map(({ fromMs }) => firstIdAt('event', fromMs))}::text[],
      ${written.map(({ toMs }) => firstIdAt('event', toMs))}::text[]) as w(sale_id, since, until)
    cross join lateral (select id, body from events
      where account_id = ${scope.accountId} and id >= w.since and id < w.until
        and ref_id = w.sale_id and type like 'service.sale.%' offset 0) e`.execute(db)
  return rows
}
