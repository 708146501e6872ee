import { sql } from 'kysely'
import type { Db } from '../../../platform/db/open.ts'
import type { Scope } from '../../../platform/scope.ts'

/**
 * Events about the customer's record itself. The pattern is written into the text: it is the predicate of the index.
 */
export async function listOwnEvents(db: Db, scope: Scope, customerId: string) {
  const { rows } = await sql<{ id: string; body: string }>`select id, body from events
    where account_id = ${scope.accountId} and ref_id = ${customerId}
      and type like 'service.customer.%'`.execute(db)
  return rows
}

/** What was announced of these sales, however long their bills were open. Each half is the predicate of an index. */
export async function listSaleEvents(db: Db, scope: Scope, saleIds: readonly string[]) {
  const { rows } = await sql<{ id: string; body: string }>`
    select id, body from events where account_id = ${scope.accountId} and ref_id = any(${saleIds}::text[])
      and type = 'service.sale.completed.v1'
    union all
    select id, body from events where account_id = ${scope.accountId} and ref_id = any(${saleIds}::text[])
      and type like 'service.sale.%' and type <> 'service.sale.completed.v1'`.execute(db)
  return rows
}
