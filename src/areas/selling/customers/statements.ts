import { sql } from 'kysely'
import type { Db } from '../../../platform/db/open.ts'
import type { Scope } from '../../../platform/scope.ts'

/** Any sale, gift card or ledger row that names the customer keeps the record alive (B-customer-2). */
export async function isReferenced(db: Db, scope: Scope, id: string): Promise<boolean> {
  const { rows } = await sql<{ referenced: boolean }>`select
    exists (select 1 from sales where account_id = ${scope.accountId} and customer_id = ${id})
    or exists (select 1 from gift_cards where account_id = ${scope.accountId} and customer_id = ${id})
    or exists (select 1 from loyalty_entries where account_id = ${scope.accountId} and customer_id = ${id})
    as referenced`.execute(db)
  return rows[0]?.referenced ?? true
}
