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

/** A removal is kept for 400 days (catalogue-expires.ts): a till that was away sells by the catalogue from before it. */
const REMOVED = statement(
  'offline_sale_removed',
  `select c.id from unnest($2::text[], $3::text[]) n (type, id)
    join catalogue_changes c on c.account_id = $1 and c.type = n.type and c.id = n.id
    where case n.type
      when 'table' then not exists (select from dining_tables t where t.account_id = $1 and t.id = n.id)
      when 'member' then not exists (select from members m where m.account_id = $1 and m.id = n.id)
      when 'modifier' then not exists (select from modifiers m where m.account_id = $1 and m.id = n.id)
      else false end`,
)
export type NamedRecord = { type: 'table' | 'member' | 'modifier'; id: string }

/** Returns the ids of the records that were removed. An id that never existed is not among them. */
export async function findRemoved(
  tx: Tx,
  { accountId }: Scope,
  records: readonly NamedRecord[],
): Promise<ReadonlySet<string>> {
  if (records.length === 0) return new Set()
  const values = [accountId, records.map(({ type }) => type), records.map(({ id }) => id)]
  const rows = await named<{ id: string }>(tx, REMOVED, values)
  return new Set(rows.map(({ id }) => id))
}

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
