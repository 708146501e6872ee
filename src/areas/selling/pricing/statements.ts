import type { PriceListRule } from '../../../core/prices.ts'
import { type Db, named } from '../../../platform/db/open.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { Scope } from '../../../platform/scope.ts'

/** Which of the ids in $2, each of the kind in $3, do not exist, by their places from 1. */
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

/** The active lists with their version, in one snapshot. */
const PRICING = statement(
  'pricing_read',
  `select (select s.pricing_version from settings s where s.account_id = $1) as version,
    coalesce((select json_agg(json_build_object('id', l.id, 'name', l.name, 'priority', l.priority, 'isActive', l.is_active,
        'outletIds', l.outlet_ids, 'orderTypes', l.order_types, 'channels', l.channels,
        'customerGroupIds', l.customer_group_ids, 'weekdays', l.weekdays, 'from', l.from_time, 'to', l.to_time,
        'startsAt', l.starts_at, 'endsAt', l.ends_at, 'entries', l.entries) order by l.priority, l.id)
      from price_lists l where l.account_id = $1 and l.is_active), '[]') as lists`,
)
export type PricingRow = { version: string | null; lists: PriceListRule[] }

export async function readPricing(db: Db, scope: Pick<Scope, 'accountId'>): Promise<PricingRow | undefined> {
  const [row] = await named<PricingRow>(db, PRICING, [scope.accountId])
  return row
}
