import { type Db, named } from '../../../platform/db/open.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { Scope } from '../../../platform/scope.ts'

type Body = { id: string; body: string }

// The pattern is a literal in the text, because it is the predicate of the index.
const OWN_EVENTS = statement(
  'customer_own_events',
  `select id, body from events where account_id = $1 and ref_id = $2 and type like 'service.customer.%'`,
)

/** Lists events about the customer's record. */
export const listOwnEvents = (db: Db, scope: Scope, customerId: string) =>
  named<Body>(db, OWN_EVENTS, [scope.accountId, customerId])

// The condition of each half is the predicate of an index.
const SALE_EVENTS = statement(
  'customer_sale_events',
  `select id, body from events where account_id = $1 and ref_id = any($2::text[])
      and type = 'service.sale.completed.v1'
    union all
    select id, body from events where account_id = $1 and ref_id = any($2::text[])
      and type like 'service.sale.%' and type <> 'service.sale.completed.v1'`,
)

/** Lists the events about these sales, of any age. */
export const listSaleEvents = (db: Db, scope: Scope, saleIds: readonly string[]) =>
  named<Body>(db, SALE_EVENTS, [scope.accountId, saleIds])
