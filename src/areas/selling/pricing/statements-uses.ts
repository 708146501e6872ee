import { foldCase } from '../../../core/conditions.ts'
import type { PromotionKind, PromotionRule } from '../../../core/promotions.ts'
import { type Db, named, namedWrite, type Tx } from '../../../platform/db/open.ts'
import { statement, writeStatement } from '../../../platform/db/statement.ts'
import type { Scope } from '../../../platform/scope.ts'
import { PROMOTION_FIELDS } from './statements.ts'

export type VoucherRow = PromotionRule & { code: string; usageLimit: number | null; usedCount: number }

/** A completed sale and what it was given. */
export type Use = {
  saleId: string
  customerId: string | null
  promotionIds: readonly string[]
  /** Its voucher codes. */
  codes: readonly string[]
  /** The customer has paid at a partner or at an offline till, so the use counts even beyond the limit. */
  isPaidFor: boolean
}

const BY_CODES = statement(
  'promotions_by_codes',
  `select json_build_object(${PROMOTION_FIELDS}, 'usageLimit', p.usage_limit, 'usedCount', p.used_count) as voucher
    from promotions p where p.account_id = $1 and p.code_key = any($2::text[])`,
)
export async function findByCodes(db: Db, scope: Scope, codes: readonly string[]): Promise<VoucherRow[]> {
  const rows = await named<{ voucher: VoucherRow }>(db, BY_CODES, [scope.accountId, codes])
  return rows.map(({ voucher }) => voucher)
}

const USED = statement(
  'promotion_uses_of_customer',
  `select distinct u.promotion_id as id from promotion_uses u
    where u.account_id = $1 and u.customer_id = $2 and u.promotion_id = any($3::text[])`,
)
/** The promotions among `ids` that the customer has used. */
export async function findUsed(
  db: Db,
  scope: Scope,
  customerId: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await named<{ id: string }>(db, USED, [scope.accountId, customerId, ids])
  return new Set(rows.map(({ id }) => id))
}

const COUNTED = statement(
  'promotions_counted',
  `select p.id, p.kind, p.once_per_customer as "oncePerCustomer" from promotions p
    where p.account_id = $1 and p.id = any($2::text[]) and (p.code is not null or p.once_per_customer)`,
)
/** The promotions among `ids` whose uses count. */
export const findCounted = (db: Db, scope: Scope, ids: readonly string[]) =>
  named<{ id: string; kind: PromotionKind; oncePerCustomer: boolean }>(db, COUNTED, [scope.accountId, ids])

/**
 * True if the sale with the folded codes $3 has the code of the promotion `p`. A code of the sale that no promotion has now may be the
 * earlier one of `p`.
 */
const IS_VOUCHER = `p.code is not null and (p.code_key = any($3::text[])
        or (select count(*) from promotions c where c.account_id = $1 and c.code_key = any($3::text[])) < cardinality($3::text[]))`

/** Locks the promotions of which a sale counts as a use, in order of id. */
const LOCK = statement(
  'promotions_lock_counted',
  `select p.id, p.usage_limit as "usageLimit", p.used_count as "usedCount", p.once_per_customer as "oncePerCustomer",
      (${IS_VOUCHER}) as "isVoucher"
    from promotions p where p.account_id = $1 and p.id = any($2::text[]) and (p.once_per_customer or (${IS_VOUCHER}))
    order by p.id for update of p`,
)
type CountedPromotion = {
  id: string
  usageLimit: number | null
  usedCount: number
  oncePerCustomer: boolean
  /** Whether the sale has its code. */
  isVoucher: boolean
}
export const lockCounted = (
  tx: Tx,
  scope: Scope,
  { promotionIds, codes }: Pick<Use, 'promotionIds' | 'codes'>,
) => named<CountedPromotion>(tx, LOCK, [scope.accountId, promotionIds, codes.map(foldCase)])

const COUNT_UP = writeStatement(
  'promotions_count_up',
  `update promotions p set used_count = p.used_count + 1 where p.account_id = $1 and p.id = any($2::text[])`,
)
const ADD = writeStatement(
  'promotion_uses_add',
  `insert into promotion_uses (account_id, promotion_id, sale_id, customer_id, created_at)
    select $1, x.id, $3, $4, $5 from unnest($2::text[]) as x(id)`,
)
export async function addUses(
  tx: Tx,
  scope: Scope,
  { saleId, customerId }: Use,
  ids: readonly string[],
): Promise<void> {
  await namedWrite(tx, COUNT_UP, [scope.accountId, ids])
  await namedWrite(tx, ADD, [scope.accountId, ids, saleId, customerId, scope.now])
}

const LOCK_USED = statement(
  'promotions_lock_used',
  `select p.id from promotions p where p.account_id = $1 and p.id in (
      select u.promotion_id from promotion_uses u where u.account_id = $1 and u.sale_id = $2) order by p.id for update`,
)
const REMOVE = writeStatement(
  'promotion_uses_remove',
  `delete from promotion_uses u where u.account_id = $1 and u.sale_id = $2 and u.promotion_id = any($3::text[])`,
)
const COUNT_DOWN = writeStatement(
  'promotions_count_down',
  `update promotions p set used_count = p.used_count - 1 where p.account_id = $1 and p.id = any($2::text[])`,
)
export async function removeUses(tx: Tx, scope: Scope, saleId: string): Promise<void> {
  const ids = (await named<{ id: string }>(tx, LOCK_USED, [scope.accountId, saleId])).map(({ id }) => id)
  if (ids.length === 0) return
  await namedWrite(tx, REMOVE, [scope.accountId, saleId, ids])
  await namedWrite(tx, COUNT_DOWN, [scope.accountId, ids])
}
