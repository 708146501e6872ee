import { type Db, named } from '../../../platform/db/open.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { Scope } from '../../../platform/scope.ts'

/** The outlet, the settings and the version, and whether `since` ($3, $4) is a version that the log still reaches. */
const HEAD = statement(
  'till_catalogue_head',
  `select coalesce(v.version, 0) as version, coalesce(v.tag, '') as tag,
      $3::bigint is null or ($3 = coalesce(v.version, 0) and $4 = coalesce(v.tag, ''))
        or exists (select from catalogue_steps s where s.account_id = $1 and s.version = $3 and s.tag = $4)
        or ($3 = 0 and $4 = '' and exists (select from catalogue_steps s where s.account_id = $1 and s.version = 1))
        as "isKnown",
      (select json_build_object('id', o.id, 'name', o.name, 'address', o.address, 'phone', o.phone, 'timezone', o.timezone,
          'taxRateBps', o.tax_rate_bps, 'taxInclusive', o.tax_inclusive, 'taxLabel', o.tax_label,
          'serviceChargeBps', o.service_charge_bps, 'serviceChargeOrderTypes', o.service_charge_order_types,
          'serviceChargeBase', o.service_charge_base, 'serviceChargeTaxable', o.service_charge_taxable,
          'cashRounding', o.cash_rounding,
          'receiptHeader', o.receipt_header, 'receiptFooter', o.receipt_footer, 'isActive', o.is_active)
        from outlets o where o.account_id = $1 and o.id = $2) as outlet,
      (select json_build_object('businessName', t.business_name, 'businessType', t.business_type, 'currency', t.currency,
          'negativeStock', t.negative_stock, 'openItems', t.open_items,
          'expenseCategories', t.expense_categories, 'loyaltyRupiahPerPoint', t.loyalty_rupiah_per_point,
          'transferBankName', t.transfer_bank_name, 'transferBankAccountNumber', t.transfer_bank_account_number,
          'transferBankAccountHolder', t.transfer_bank_account_holder, 'npwp', t.npwp, 'receiptThanks', t.receipt_thanks,
          'logoUrl', t.logo_url, 'approvals', t.approvals, 'scaleBarcodes', t.scale_barcodes)
        from settings t where t.account_id = $1) as settings,
      a.name as "accountName"
    from accounts a left join catalogue_versions v on v.account_id = $1 where a.account_id = $1`,
)
export type Head = {
  version: number
  tag: string
  isKnown: boolean
  outlet: Record<string, unknown> | null
  settings: Record<string, unknown> | null
  accountName: string
}

export async function findHead(
  db: Db,
  scope: Scope,
  outletId: string,
  since: { version: number; tag: string } | null,
): Promise<Head | undefined> {
  const values = [scope.accountId, outletId, since?.version ?? null, since?.tag ?? null]
  return (await named<Head>(db, HEAD, values))[0]
}

/** The first $3 records that have changed after the version $2, in no order. */
const CHANGES = statement(
  'till_catalogue_changes',
  `select c.type, c.id from catalogue_changes c where c.account_id = $1 and c.version > $2 limit $3`,
)
export type Change = { type: string; id: string }

export const listChanges = (db: Db, scope: Scope, version: number, limit: number) =>
  named<Change>(db, CHANGES, [scope.accountId, version, limit])

/**
 * A list of the answer: rows as JSON texts of PostgreSQL. Parsing and printing them again here would take most of the
 * time.
 */
type Part = { columns: string; from: string; live: string; id: string; changed?: string; ofOutlet?: true }

const COMPONENTS = `recipe_components r join variants c on c.account_id = $1 and c.id = r.component_variant_id
    where r.account_id = $1 and r.variant_id`

/** An instant in the format of the API; sessions of the service use UTC. */
const INSTANT = 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'

const CONDITIONS = `t.is_active as "isActive", t.outlet_ids as "outletIds", t.order_types as "orderTypes",
      t.channels, t.customer_group_ids as "customerGroupIds", t.weekdays, t.from_time as "from", t.to_time as "to",
      to_char(t.starts_at, '${INSTANT}') as "startsAt", to_char(t.ends_at, '${INSTANT}') as "endsAt"`

const PARTS = {
  categories: {
    columns: `t.id, t.name, t.sort_order as "sortOrder", t.station`,
    from: 'categories t where t.account_id = $1',
    live: 't.is_active',
    id: 't.id',
  },
  products: {
    columns: `t.id, t.name, t.category_id as "categoryId", t.kind, t.track_stock as "trackStock",
      t.requires_batch as "requiresBatch", t.tax_rate_bps as "taxRateBps", t.image_url as "imageUrl", t.station,
      coalesce((select json_agg(g.group_id order by g.sort_order, g.group_id) from product_modifier_groups g
        where g.account_id = $1 and g.product_id = t.id), '[]') as "modifierGroupIds"`,
    from: 'products t where t.account_id = $1',
    live: 't.is_active',
    id: 't.id',
  },
  variants: {
    columns: `t.id, t.product_id as "productId", t.name, t.sku,
      case when t.barcode is null then '[]' else jsonb_build_array(t.barcode) || coalesce(t.other_barcodes, '[]') end as barcodes, t.price, t.sold_by as "soldBy",
      coalesce(t.packs, '[]') as packs,
      t.sort_order as "sortOrder", t.is_composite as "isComposite",
      case when t.is_composite then coalesce((select bool_and(c.is_live) from ${COMPONENTS} = t.id), false) else true end as "isAvailable"`,
    from: 'variants t where t.account_id = $1',
    live: 't.is_live',
    id: 't.id',
    // The variants of changed products, and composites that contain them.
    changed: `t.id in (select v.id from variants v where v.account_id = $1 and v.product_id = any($2::text[])
      union select r.variant_id from variants c join recipe_components r on r.account_id = $1 and r.component_variant_id = c.id
        where c.account_id = $1 and c.product_id = any($2::text[]))`,
  },
  modifierGroups: {
    columns: `t.id, t.name, t.min_select as "minSelect", t.max_select as "maxSelect",
      coalesce((select json_agg(json_build_object('id', m.id, 'name', m.name, 'price', m.price, 'sortOrder', m.sort_order)
          order by m.sort_order, m.id) from modifiers m
        where m.account_id = $1 and m.group_id = t.id and m.is_active), '[]') as modifiers`,
    from: 'modifier_groups t where t.account_id = $1',
    live: 'true',
    id: 't.id',
  },
  floors: {
    columns: `t.id, t.name, t.sort_order as "sortOrder"`,
    from: 'floors t where t.account_id = $1 and t.outlet_id = $4',
    live: 'true',
    id: 't.id',
    ofOutlet: true,
  },
  tables: {
    columns: `t.id, t.floor_id as "floorId", t.label, t.zone, t.seats, t.sort_order as "sortOrder"`,
    from: 'dining_tables t where t.account_id = $1 and t.outlet_id = $4',
    live: 't.is_active',
    id: 't.id',
    ofOutlet: true,
  },
  // Inactive lists are left out; the conditions are checked when a sale is priced.
  priceLists: {
    columns: `t.id, t.name, t.priority, ${CONDITIONS}, t.entries`,
    from: 'price_lists t where t.account_id = $1',
    live: 't.is_active and (t.outlet_ids is null or t.outlet_ids @> array[$4::text])',
    id: 't.id',
    ofOutlet: true,
  },
  // Codes stay with the service, which alone can count their uses.
  promotions: {
    columns: `t.id, t.name, t.kind, t.priority, t.stackable, t.percent_bps as "percentBps", t.amount,
      t.buy_quantity as "buyQuantity", t.get_quantity as "getQuantity", t.bundle, t.bundle_price as "bundlePrice",
      t.variant_ids as "variantIds", t.category_ids as "categoryIds", t.min_spend as "minSpend",
      t.once_per_customer as "oncePerCustomer", ${CONDITIONS}`,
    from: 'promotions t where t.account_id = $1',
    live: 't.code is null and t.is_active and (t.outlet_ids is null or t.outlet_ids @> array[$4::text])',
    id: 't.id',
    ofOutlet: true,
  },
  members: {
    columns: 't.id, t.name, t.role',
    from: 'member_pins p join members t on t.account_id = $1 and t.id = p.member_id where p.account_id = $1',
    live: 'true',
    id: 't.id',
  },
} as const satisfies Record<string, Part>
export type PartName = keyof typeof PARTS
export const PART_NAMES = Object.keys(PARTS) as PartName[]

const printed = (name: PartName, which: 'whole' | 'changed') => {
  const { columns, from, live, id, ...more }: Part = PARTS[name]
  const condition = which === 'whole' ? `${id} > $2` : (more.changed ?? `${id} = any($2::text[])`)
  return statement(
    `till_catalogue_${name}_${which}`,
    `select string_agg(row_to_json(x)::text, ',') as text, max(x.id) as last, count(*)::int as n from (
      select ${columns} from ${from} and ${live} and ${condition} order by ${id} limit $3::int) x`,
  )
}
const WHOLE = Object.fromEntries(PART_NAMES.map((name) => [name, printed(name, 'whole')]))
const CHANGED = Object.fromEntries(PART_NAMES.map((name) => [name, printed(name, 'changed')]))

/** Rows as JSON texts with commas between them, and the id of the last one. */
export type CataloguePortion = { text: string | null; last: string | null; n: number }
/** Without a limit all rows are read. */
type PortionQuery = { outletId: string; limit?: number }

async function read(
  db: Db,
  scope: Scope,
  name: PartName,
  { form, selected, limit, outletId }: PortionQuery & { form: typeof WHOLE; selected: unknown },
): Promise<CataloguePortion> {
  const text = form[name]
  const part: Part = PARTS[name]
  const values = [scope.accountId, selected, limit ?? null, ...(part.ofOutlet ? [outletId] : [])]
  const [row] = text ? await named<CataloguePortion>(db, text, values) : []
  return row ?? { text: null, last: null, n: 0 }
}

/** The rows after the id `after`, as JSON texts with commas between them. */
export const readWhole = (
  db: Db,
  scope: Scope,
  name: PartName,
  { after, ...reading }: Required<PortionQuery> & { after: string },
) => read(db, scope, name, { form: WHOLE, selected: after, ...reading })

/** The rows among `ids`; variants by the ids of their products. */
export const readChanged = (
  db: Db,
  scope: Scope,
  name: PartName,
  { ids, ...reading }: PortionQuery & { ids: readonly string[] },
) => read(db, scope, name, { form: CHANGED, selected: ids, ...reading })

/** The changed records that a till must remove, and unsellable variants of changed products. */
const REMOVED = statement(
  'till_catalogue_removed',
  `select c.type, c.id from unnest($2::text[], $3::text[]) c (type, id) where case c.type
      when 'category' then not exists (select from categories t where t.account_id = $1 and t.id = c.id and t.is_active)
      when 'product' then not exists (select from products t where t.account_id = $1 and t.id = c.id and t.is_active)
      when 'variant' then not exists (select from variants t where t.account_id = $1 and t.id = c.id)
      when 'modifierGroup' then not exists (select from modifier_groups t where t.account_id = $1 and t.id = c.id)
      when 'floor' then not exists (select from floors t where t.account_id = $1 and t.id = c.id and t.outlet_id = $4)
      when 'table' then not exists (select from dining_tables t
        where t.account_id = $1 and t.id = c.id and t.outlet_id = $4 and t.is_active)
      when 'priceList' then not exists (select from price_lists t where t.account_id = $1 and t.id = c.id and t.is_active
        and (t.outlet_ids is null or t.outlet_ids @> array[$4::text]))
      when 'promotion' then not exists (select from promotions t where t.account_id = $1 and t.id = c.id and t.is_active
        and t.code is null and (t.outlet_ids is null or t.outlet_ids @> array[$4::text]))
      when 'member' then not exists (select from member_pins t where t.account_id = $1 and t.member_id = c.id)
      else false end
    union select 'variant', v.id from variants v
      where v.account_id = $1 and not v.is_live and v.product_id = any($5::text[])
    order by 1, 2`,
)

export const listRemoved = (db: Db, scope: Scope, outletId: string, changes: readonly Change[]) =>
  named<Change>(db, REMOVED, [
    scope.accountId,
    changes.map(({ type }) => type),
    changes.map(({ id }) => id),
    outletId,
    changes.flatMap(({ type, id }) => (type === 'product' ? [id] : [])),
  ])
