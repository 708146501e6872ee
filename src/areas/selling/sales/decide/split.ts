import type { Static } from 'typebox'
import { newId } from '../../../../core/ids.ts'
import { emptyToNull } from '../../../../core/text.ts'
import type { Scope } from '../../../../platform/scope.ts'
import type { CountedPromotions } from '../../pricing/index.ts'
import { planSplit } from '../rules/plan-split.ts'
import { requirePaidWithin } from '../rules/state.ts'
import { NO_DETAILS } from '../sale/kept.ts'
import type { Item, Sale, SaleTransition, Surroundings } from '../sale/types.ts'
import type { SplitIn } from '../schema.ts'
import { changeStored } from './change.ts'
import { itemsSplitOnce } from './counted-promotions.ts'
import { updateEvent } from './events.ts'
import { withItems } from './price-sale.ts'
import { decideSale } from './sale.ts'

type SplitFacts = {
  split: Static<typeof SplitIn>
  table: Surroundings['table']
  shiftId: string | null
  counted: CountedPromotions
}

/** What stays of a bill, and the new bill with the items that leave it. */
export function splitOf(scope: Scope, before: Sale, { split, table, shiftId, counted }: SplitFacts) {
  const plan = planSplit(before.items, split.items)
  const cancelled = before.items.filter((item) => !item.isActive)
  const stamps = { version: before.version + 1, updatedAt: scope.now }
  const moving = plan.move.map(
    ({ item, wholeItem }): Item => ({
      ...item,
      id: wholeItem ? item.id : newId('saleItem'),
      updatedAt: scope.now,
    }),
  )
  const { stay, moved } = itemsSplitOnce(plan.stay, moving, counted)
  const staying = { ...withItems(before, stay, cancelled), ...stamps }
  requirePaidWithin(staying)
  const bill = {
    ...withItems(openedBeside(scope, before, shiftId), moved, []),
    note: emptyToNull(split.note),
    tableId: table ? table.id : null,
    around: { ...before.around, customer: null, table },
  }
  return { staying, bill }
}

/** An empty open bill at the same outlet, with the same tax, order type and channel. */
const openedBeside = (scope: Scope, bill: Sale, shiftId: string | null): Sale => ({
  ...bill,
  id: newId('sale'),
  number: '',
  ...NO_DETAILS,
  orderType: bill.orderType,
  channel: bill.channel,
  shiftId,
  orderDiscount: 0,
  promoDiscount: 0,
  deliveryFee: 0,
  deliveryStatus: null,
  shipmentId: null,
  paidTotal: 0,
  changeTotal: 0,
  roundingTotal: 0,
  version: 1,
  cashierId: scope.actor.id,
  createdAt: scope.now,
  updatedAt: scope.now,
  items: [],
  payments: [],
  refunds: [],
})

/** The two changes of a split: the bill that loses items, and the new bill. Its event comes first. */
export function decideSplit(
  scope: Scope,
  { before, after, bill, day }: SaleTransition & { bill: Sale; day: string },
) {
  const opened = decideSale(scope, bill, { day })
  const kept = changeStored(scope, { before, after }, () => [])
  const events = [...opened.events, updateEvent(scope, kept.sale)]
  return { changes: [kept.change, { ...opened, events }], from: kept.sale }
}
