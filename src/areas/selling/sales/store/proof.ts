import { followerOf } from '../../../../platform/webhooks/fan-out.ts'

/**
 * The facts of the shop that a plain sale proves, in each form of its statement (decision 0009). Each is a scalar
 * subquery, so that the planner can only find a row by its key.
 */

export type ShopFact =
  | 'outlet_id'
  | 'outlet_seen'
  | 'policy_seen'
  | 'shift_seen'
  | 'actor_id'
  | 'api_key_id'
  | 'key'

/**
 * SQL that holds while outlet, policy, the cashier's open shift and the API key are those of `seen`, SQL of each. If
 * outlet or policy is null, it is not compared: the change does not depend on it. If the shift is null, the cashier must
 * have no open one.
 */
export const shopHolds = (accountId: string, seen: (fact: ShopFact) => string) =>
  `(${seen('outlet_seen')} is null or ${seen('outlet_seen')} = (select o.xmin::text from outlets o where o.account_id = ${accountId} and o.id = ${seen('outlet_id')}))
        and (${seen('policy_seen')} is null or ${seen('policy_seen')} = coalesce((select p.xmin::text from settings p where p.account_id = ${accountId}), ''))
        and ${seen('shift_seen')} is not distinct from (select h.id from shifts h where h.account_id = ${accountId}
          and h.outlet_id = ${seen('outlet_id')} and h.cashier_id = ${seen('actor_id')} and h.status = 'OPEN')
        and (${seen('api_key_id')} is null or (select k.revoked_at is null from api_keys k where k.account_id = ${accountId} and k.id = ${seen('api_key_id')}))`

/** True if no webhook endpoint of the workspace subscribes to events, so that no deliveries are needed. */
export const isNotFollowed = (accountId: string) => `${followerOf(accountId)} is null`

/** SQL that reads batches of the variants that `which` names. */
export const batchOf = (accountId: string, outletId: string, which: string) =>
  `(select 1 from stock_batches b where b.account_id = ${accountId} and b.outlet_id = ${outletId} and b.variant_id ${which} and b.remaining_qty > 0 limit 1)`

/** The Idempotency-Key is unused. */
export const keyIsNew = (accountId: string, key: string) =>
  `(select 1 from idempotency_keys k where k.account_id = ${accountId} and k.key = ${key}) is null`
