import type { CashRounding } from '../../../../core/cash-rounding.ts'
import type { StationPrinters } from '../../../../core/printing.ts'
import type { OutletService } from '../../../../core/service-charge.ts'
import { SETTINGS_DEFAULTS } from '../../../../core/settings.ts'
import { type Db, named } from '../../../../platform/db/open.ts'
import { type Statement, statement } from '../../../../platform/db/statement.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { followerOf } from '../../../../platform/webhooks/fan-out.ts'
import {
  RECIPE_AS_JSON,
  type SellableVariant,
  type StockRecipePart,
  sellablesAsJson,
} from '../../../catalogue/products/index.ts'
import { type PriceBook, pricingAt } from '../../pricing/index.ts'

/** The facts of a variant that an item needs. `components` is null on a plain variant. */
export type Sellable = SellableVariant & { hasBatches: boolean; components: Component[] | null }
export type Component = StockRecipePart

export type OutletFacts = OutletService & {
  id: string
  name: string
  isActive: boolean
  timezone: string
  taxRateBps: number
  taxInclusive: boolean
  cashRounding: CashRounding
  address: string | null
  phone: string | null
  receiptHeader: string | null
  receiptFooter: string | null
  stationPrinters: StationPrinters
  /** Another one whenever the outlet has changed. */
  seen: string
}

export type Context = {
  outlet: OutletFacts | null
  /** False for members too: it speaks of API keys only. */
  keyHolds: boolean
  negativeStock: 'ALLOW' | 'BLOCK'
  /** Whether items without a product can be sold. */
  openItems: boolean
  /** Another one whenever the settings or a price list have changed. */
  policySeen: string
  pricing: PriceBook
  openShiftId: string | null
  /** Whether a webhook endpoint of the workspace subscribes to events. */
  isFollowed: boolean
  sellables: Map<string, Sellable>
  modifierIds: Set<string>
}

const hasBatches = (
  outletId: string,
) => `exists (select from stock_batches b where b.account_id = $1 and b.outlet_id = ${outletId}
          and b.variant_id = v.id and b.remaining_qty > 0)`
const NEGATIVE_STOCK = `coalesce((select s.negative_stock from settings s where s.account_id = $1), '${SETTINGS_DEFAULTS.negativeStock}')`
const OPEN_ITEMS = `coalesce((select s.open_items from settings s where s.account_id = $1), ${SETTINGS_DEFAULTS.openItems})`
const POLICY_SEEN = `coalesce((select s.xmin::text from settings s where s.account_id = $1), '')`
const PRICING_VERSION = '(select s.pricing_version from settings s where s.account_id = $1)'
const MODIFIERS = `,
    array(select m.id from modifiers m where m.account_id = $1 and m.id = any($5)) as "modifierIds"`

/**
 * All that a sale reads before it is priced, in one round trip: the API key, outlet, policy, the cashier's shift and
 * the variants sold.
 */
const readOf = (recipe: Readonly<Record<string, string>>, modifiers: string) => `select
    (select json_build_object('id', o.id, 'name', o.name, 'isActive', o.is_active, 'timezone', o.timezone,
        'taxRateBps', o.tax_rate_bps, 'taxInclusive', o.tax_inclusive,
        'serviceChargeBps', o.service_charge_bps, 'serviceChargeOrderTypes', o.service_charge_order_types,
        'serviceChargeBase', o.service_charge_base, 'serviceChargeTaxable', o.service_charge_taxable,
        'cashRounding', o.cash_rounding, 'address', o.address, 'phone', o.phone,
        'receiptHeader', o.receipt_header, 'receiptFooter', o.receipt_footer, 'stationPrinters', o.station_printers,
        'seen', o.xmin::text)
      from outlets o where o.account_id = $1 and o.id = $2) as outlet,
    exists (select from api_keys k where k.account_id = $1 and k.id = $4 and k.revoked_at is null) as "keyHolds",
    ${NEGATIVE_STOCK} as "negativeStock",
    ${OPEN_ITEMS} as "openItems",
    ${POLICY_SEEN} as "policySeen",
    ${PRICING_VERSION} as "pricingVersion",
    (select h.id from shifts h where h.account_id = $1 and h.outlet_id = $2 and h.cashier_id = $4 and h.status = 'OPEN') as "openShiftId",
    ${followerOf('$1')} is not null as "isFollowed",
    ${sellablesAsJson('$3', { hasBatches: hasBatches('$2'), ...recipe })} as sellables${modifiers}`

/** The variants of the bill `s`, as a part of a larger statement: JSON of `GoodsOfBill`, without recipes. */
export const GOODS_OF_BILL = `json_build_object('negativeStock', ${NEGATIVE_STOCK}, 'policySeen', ${POLICY_SEEN}, 'sellables',
        ${sellablesAsJson('array(select i.variant_id from sale_items i where i.account_id = $1 and i.sale_id = s.id and i.is_active and i.variant_id is not null)', { hasBatches: hasBatches('s.outlet_id') })})`
export type GoodsOfBill = Pick<Context, 'negativeStock' | 'policySeen'> & {
  sellables: Omit<Sellable, 'components'>[]
}

const READ = statement('sale_context', readOf({ components: RECIPE_AS_JSON }, MODIFIERS))
/** A quarter cheaper for the database, which opens each table of a statement whether it holds an answer or not. */
const READ_PLAIN = statement('sale_context_plain', readOf({}, ''))

export type ContextLookup = {
  outletId: string
  variantIds: readonly string[]
  modifierIds: readonly string[]
}
type Row = Omit<Context, 'sellables' | 'modifierIds' | 'pricing'> & {
  pricingVersion: string | null
  sellables: (Omit<Sellable, 'components'> & { components?: Component[] | null })[]
  modifierIds?: string[]
}

export const readContext = (db: Db, scope: Scope, wanted: ContextLookup): Promise<Context> =>
  read(db, scope, wanted, READ)

/** Without recipes: enough to price any sale and to find composites, which need the locked way. */
export const readPlainContext = (db: Db, scope: Scope, wanted: ContextLookup): Promise<Context> =>
  read(db, scope, wanted, wanted.modifierIds.length === 0 ? READ_PLAIN : READ)

async function read(db: Db, scope: Scope, wanted: ContextLookup, statement: Statement): Promise<Context> {
  const values = [scope.accountId, wanted.outletId, wanted.variantIds, scope.actor.id, wanted.modifierIds]
  const [row] = await named<Row>(db, statement, statement === READ ? values : values.slice(0, 4))
  if (!row) throw new Error('a select without from answers one row')
  const { pricingVersion, ...facts } = row
  return {
    ...facts,
    pricing: await pricingAt(db, scope, pricingVersion),
    sellables: new Map(
      row.sellables.map((sellable) => [
        sellable.variantId,
        { ...sellable, components: sellable.components ?? null },
      ]),
    ),
    modifierIds: new Set(row.modifierIds),
  }
}
