import { assert } from '../../../core/assert.ts'
import type { PriceListRule } from '../../../core/prices.ts'
import type { PromotionRule } from '../../../core/promotions.ts'
import { type Db, named } from '../../../platform/db/open.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { Scope } from '../../../platform/scope.ts'

/** The positions, from 1, of the ids in $2 that do not exist; $3 has the kind of each. */
const MISSING = statement(
  'pricing_missing',
  `select r.place::int from unnest($2::text[], $3::text[]) with ordinality as r (id, kind, place)
    where case r.kind
      when 'outlet' then (select o.id from outlets o where o.account_id = $1 and o.id = r.id) is null
      when 'variant' then (select v.id from variants v where v.account_id = $1 and v.id = r.id) is null
      when 'category' then (select c.id from categories c where c.account_id = $1 and c.id = r.id) is null
      else (select g.id from customer_groups g where g.account_id = $1 and g.id = r.id) is null end
    order by r.place limit 1`,
)
export type Reference = { kind: 'outlet' | 'variant' | 'category' | 'group'; id: string; param: string }

/** The first of the records that does not exist; undefined if all do. */
export async function firstMissing(
  db: Db,
  scope: Scope,
  references: readonly Reference[],
): Promise<Reference | undefined> {
  if (references.length === 0) return undefined
  const [row] = await named<{ place: number }>(db, MISSING, [
    scope.accountId,
    references.map(({ id }) => id),
    references.map(({ kind }) => kind),
  ])
  return row && references[row.place - 1]
}

const conditionsOf = (row: string) =>
  `'id', ${row}.id, 'name', ${row}.name, 'priority', ${row}.priority, 'isActive', ${row}.is_active,
        'outletIds', ${row}.outlet_ids, 'orderTypes', ${row}.order_types, 'channels', ${row}.channels,
        'customerGroupIds', ${row}.customer_group_ids, 'weekdays', ${row}.weekdays, 'from', ${row}.from_time,
        'to', ${row}.to_time, 'startsAt', ${row}.starts_at, 'endsAt', ${row}.ends_at`
/** The fields of a promotion `p`, for json_build_object. */
export const PROMOTION_FIELDS = `${conditionsOf('p')}, 'stackable', p.stackable, 'kind', p.kind,
        'percentBps', p.percent_bps, 'amount', p.amount, 'buyQuantity', p.buy_quantity, 'getQuantity', p.get_quantity,
        'bundle', p.bundle, 'bundlePrice', p.bundle_price, 'variantIds', p.variant_ids, 'categoryIds', p.category_ids,
        'minSpend', p.min_spend, 'code', p.code, 'oncePerCustomer', p.once_per_customer`

const USED = statement(
  'pricing_used',
  `select l.lists, l.entries, p.promotions, p.automatic, p.ids
    from (select count(*)::int as lists, coalesce(sum(jsonb_array_length(entries)), 0)::int as entries
        from price_lists where account_id = $1) l
      cross join (select count(*)::int as promotions,
          count(*) filter (where is_active and code is null)::int as automatic,
          coalesce(sum(coalesce(cardinality(variant_ids), 0) + coalesce(cardinality(category_ids), 0)
            + coalesce(cardinality(outlet_ids), 0) + coalesce(cardinality(customer_group_ids), 0)
            + coalesce(cardinality(channels), 0)
            + coalesce(jsonb_array_length(bundle), 0)), 0)::int as ids
        from promotions where account_id = $1) p`,
)
/** Price lists and their entries; promotions, the active ones without a code among them, and the ids and channels in all of them. */
export type PricingUse = {
  lists: number
  entries: number
  promotions: number
  automatic: number
  ids: number
}

export async function countPricing(db: Db, scope: Scope): Promise<PricingUse> {
  const [row] = await named<PricingUse>(db, USED, [scope.accountId])
  assert(row, 'counts are one row')
  return row
}

/** The active lists, and the active promotions without a code, with their version, in one snapshot. */
const PRICING = statement(
  'pricing_read',
  `select (select s.pricing_version from settings s where s.account_id = $1) as version,
    coalesce((select json_agg(json_build_object(${conditionsOf('l')}, 'entries', l.entries) order by l.priority, l.id)
      from price_lists l where l.account_id = $1 and l.is_active), '[]') as lists,
    coalesce((select json_agg(json_build_object(${PROMOTION_FIELDS}) order by p.priority, p.id)
      from promotions p where p.account_id = $1 and p.is_active and p.code is null), '[]') as promotions`,
)
export type PricingRow = { version: string | null; lists: PriceListRule[]; promotions: PromotionRule[] }

export async function readPricing(db: Db, scope: Pick<Scope, 'accountId'>): Promise<PricingRow | undefined> {
  const [row] = await named<PricingRow>(db, PRICING, [scope.accountId])
  return row
}
