import { named, namedWrite, type Tx } from '../../../../platform/db/open.ts'
import { statement, writeStatement } from '../../../../platform/db/statement.ts'
import type { Scope } from '../../../../platform/scope.ts'

/** Two requests with one reference wait for each other here. */
const CLAIM = writeStatement(
  'offline_sale_claim',
  `insert into offline_sales (account_id, ref, fingerprint, created_at) values ($1, $2, $3, $4)
    on conflict (account_id, ref) do nothing returning ref`,
)
const FIND = statement(
  'offline_sale_find',
  `select o.fingerprint, (select s.id from sales s where s.account_id = $1 and s.offline_ref = $2) as "saleId"
    from offline_sales o where o.account_id = $1 and o.ref = $2`,
)

type EarlierSale = { fingerprint: string; saleId: string }

/**
 * Claims the reference of an offline sale until the transaction ends. Returns the sale that has it already, or null if
 * the reference is new.
 */
export async function claimOfflineRef(
  tx: Tx,
  scope: Scope,
  ref: string,
  fingerprint: string,
): Promise<EarlierSale | null> {
  const claimed = await namedWrite<{ ref: string }>(tx, CLAIM, [scope.accountId, ref, fingerprint, scope.now])
  if (claimed.length > 0) return null
  const [earlier] = await named<EarlierSale>(tx, FIND, [scope.accountId, ref])
  return earlier ?? null
}
