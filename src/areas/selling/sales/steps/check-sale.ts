import { invalid, notFound } from '../../../../core/errors.ts'
import { dayOf } from '../../../../core/time.ts'
import type { Db } from '../../../../platform/db/open.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { getTableForSale } from '../../../dining/tables/index.ts'
import type { Customer } from '../../customers/index.ts'
import { NO_VOUCHERS, requireUsable, type Vouchers } from '../../pricing/index.ts'
import { getShiftForSale } from '../../shifts/index.ts'
import { pricerOfBody } from '../decide/price-goods.ts'
import { type PricedSale, priceSale, warningsOfOpening } from '../decide/price-sale.ts'
import { voucherWarnings } from '../decide/promote-sale.ts'
import { outletView } from '../sale/view.ts'
import type { SaleIn } from '../schema.ts'
import type { Context } from '../store/context.ts'
import {
  idsOf,
  notFoundFirst,
  requireKnown,
  requireLive,
  requireOpenItemsOn,
  requirePacksKnown,
  requireSmallDeliveryDraft,
} from './check-body.ts'

/** The records of the shop that a new sale reads: its outlet, variants and modifiers. */
export const goodsInBody = (body: SaleIn) => ({ outletId: body.outletId, ...idsOf(body.items) })

type Buyer = {
  findCustomer: (() => Promise<Customer>) | null
  promoDiscount: number
  vouchers?: Vouchers
  /** A table that is accepted although it is inactive. */
  keptTableId?: string | null
}
export const ANONYMOUS: Buyer = { findCustomer: null, promoDiscount: 0 }

/** Checks the body against the shop, prices the sale and applies its payments; nothing is written or locked. */
export async function checkAndPrice(
  db: Db,
  scope: Scope,
  body: SaleIn,
  {
    context,
    findCustomer,
    promoDiscount,
    vouchers = NO_VOUCHERS,
    keptTableId: keptId = null,
  }: Buyer & {
    context: Context
  },
): Promise<PricedSale> {
  requireSmallDeliveryDraft(body.deliveryDraft)
  const { outlet } = context
  if (!outlet) throw notFound('outlet', 'outletId')
  requireKnown(body.items, context)
  const refusePacks = await requirePacksKnown(
    db,
    scope,
    body.items,
    ({ variantId = '' }) => context.sellables.get(variantId)?.packs ?? [],
  )
  const { tableId, shiftId } = body
  const { look, refuse } = notFoundFirst()
  const customer = findCustomer && (await look(findCustomer()))
  const table = tableId
    ? await look(getTableForSale(db, scope, tableId, { outletId: outlet.id, keptId }))
    : null
  const shift = shiftId ? await look(getShiftForSale(db, scope, shiftId, outlet.id)) : null
  refuse()
  refusePacks()
  if (!outlet.isActive) throw invalid('outletId', `${outlet.name} is inactive; sell at another outlet`)
  if (body.items.length === 0) throw invalid('items', 'The cart is empty: add at least one item')
  requireLive(body.items, context.sellables)
  requireOpenItemsOn(body.items, context.openItems)
  requireUsable(vouchers, scope.now)
  const around = {
    outlet: outletView(outlet),
    customer: customer && { id: customer.id, name: customer.name, phone: customer.phone },
    table,
    stationPrinters: outlet.stationPrinters,
  }
  const customerGroupIds = customer?.groupIds ?? []
  const pricer = pricerOfBody(scope, body, context, { outlet, customerGroupIds })
  const shiftOf = shift?.id ?? context.openShiftId
  const setting = { context, outlet, around, pricer, shiftId: shiftOf, promoDiscount, vouchers }
  const sale = priceSale(scope, body, setting)
  const warnings = [...warningsOfOpening(body, sale), ...voucherWarnings(vouchers.found, sale)]
  return { sale, context, outlet, pricer, day: dayOf(scope.now, outlet.timezone), warnings }
}
