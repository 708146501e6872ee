import { followerOf } from '../../../../platform/webhooks/fan-out.ts'

/**
 * What a plain sale proves of its shop, whichever form it is written in (decision 0009). Each look is a scalar, so that the
 * planner can only find a row by its key; $1 is the workspace.
 */

export type Seen =
  | 'outlet_id'
  | 'outlet_seen'
  | 'policy_seen'
  | 'guard_shift_id'
  | 'actor_id'
  | 'api_key_id'
  | 'key'

/** SQL that holds while outlet, policy, the cashier's open shift and the API key are those of `seen`, SQL of each. */
export const shopHolds = (seen: (fact: Seen) => string) =>
  `${seen('outlet_seen')} = (select o.xmin::text from outlets o where o.account_id = $1::text and o.id = ${seen('outlet_id')})
        and ${seen('policy_seen')} = coalesce((select p.xmin::text from settings p where p.account_id = $1::text), '')
        and ${seen('guard_shift_id')} is not distinct from (select h.id from shifts h where h.account_id = $1::text
          and h.outlet_id = ${seen('outlet_id')} and h.cashier_id = ${seen('actor_id')} and h.status = 'OPEN')
        and (${seen('api_key_id')} is null or (select k.revoked_at is null from api_keys k where k.account_id = $1::text and k.id = ${seen('api_key_id')}))`

/** Nobody follows the workspace, so that no deliveries are to be written. */
export const NOBODY_FOLLOWS = `${followerOf('$1::text')} is null`

/** A look into batches of the variants that `which` names. */
export const batchOf = (outletId: string, which: string) =>
  `(select 1 from stock_batches b where b.account_id = $1::text and b.outlet_id = ${outletId} and b.variant_id ${which} and b.remaining_qty > 0 limit 1)`

/** Nobody has used the Idempotency-Key. */
export const keyIsNew = (key: string) =>
  `(select 1 from idempotency_keys k where k.account_id = $1::text and k.key = ${key}) is null`
