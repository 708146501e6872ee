import { assert } from '../../../../core/assert.ts'
import { invalid } from '../../../../core/errors.ts'
import { totalsOf } from '../../../../core/sale-totals.ts'
import type { Scope } from '../../../../platform/scope.ts'
import type { Vouchers } from '../../pricing/index.ts'
import { itemsAfter, planEdit } from '../rules/plan-edit.ts'
import { derived } from '../sale/facts.ts'
import { editedDetails } from '../sale/kept.ts'
import type { Sale } from '../sale/types.ts'
import { type BillPatch, MAX_ITEMS } from '../schema.ts'
import type { Context } from '../store/context.ts'
import { pricedGoods, promotionsChanged } from './edit-goods.ts'
import { cancelledRows, planItem, rowsOf } from './edit-rows.ts'
import type { Pricer } from './price-goods.ts'
import { figuresOf, priced, termsOf } from './price-sale.ts'
import { promoted } from './promote-sale.ts'

type Prices = { context: Context; pricer: Pricer; vouchers: Vouchers; promoDiscount: number }

/** A sale rounds all its cash by the same terms, so an edit keeps those of cash that was taken (B-rounding-1). */
const hasRoundedCash = ({ payments }: Sale): boolean => payments.some(({ rounding }) => rounding !== 0)

/** 422 if an item that became two brings the bill above the number that a request can hold (B-sale-4). */
function requireRoomForItems(count: number) {
  if (count <= MAX_ITEMS) return
  throw invalid(
    'items',
    `The bill would have ${count} items, and a bill can have at most ${MAX_ITEMS}: put the rest on another bill`,
  )
}

/** An open bill with its items and details replaced. */
export function editedBill(
  scope: Scope,
  before: Sale,
  patch: BillPatch,
  { context, pricer, vouchers, promoDiscount }: Prices,
): Sale {
  const isKitchen = before.orderType !== null || before.items.some((item) => item.kitchenStatus !== 'NEW')
  const current = before.items.map(planItem)
  const all = [...context.pricing.promotions, ...vouchers.found]
  const addsApart = promotionsChanged(before, { promotions: all, pricer })
  const sent = patch.items.map((item) => ({
    ...item,
    ...pricedGoods(item, before, { context, pricer }),
    addsApart,
  }))
  const plan = planEdit(current, sent, isKitchen)
  const items = itemsAfter(plan)
  requireRoomForItems(items.length)
  const { outlet } = context
  assert(outlet, 'a bill keeps its outlet')
  const details = editedDetails(before, patch)
  const isWaived = patch.waiveServiceCharge ?? before.serviceChargeWaived
  const { tax, service, frozen } = termsOf(outlet, { orderType: details.orderType, isWaived })
  const { items: rows, promotions } = promoted(rowsOf(scope, before, plan, context), {
    facts: pricer.facts,
    promotions: all,
    customerId: details.customerId,
    codes: vouchers.codes,
    usedIds: vouchers.usedIds,
    categoryOf: (variantId) => context.sellables.get(variantId ?? '')?.categoryId ?? null,
  })
  const totals = totalsOf({
    ...tax,
    items: rows.map((item) => ({ ...item, modifiers: item.modifiers ?? [] })),
    orderDiscount: patch.orderDiscount ?? before.orderDiscount,
    clampOrderDiscount: patch.orderDiscount === undefined,
    promoDiscount,
    deliveryFee: before.deliveryFee,
    service,
    paramOf: (index) => `items[${items[index]?.sentIndex ?? 0}]`,
  })
  const active = priced(rows, totals)
  return derived({
    ...before,
    ...tax,
    ...frozen,
    cashRounding: hasRoundedCash(before) ? before.cashRounding : frozen.cashRounding,
    ...figuresOf(totals, rows),
    ...details,
    promotions,
    items: [...active, ...cancelledRows(scope, before, plan, active.length)],
    version: before.version + 1,
    updatedAt: scope.now,
  })
}
