/** The promotions of a sale, as its items and the sale itself freeze them (B-promo-6). */
import type { SaleFacts } from '../../../../core/conditions.ts'
import { invalid } from '../../../../core/errors.ts'
import { sum } from '../../../../core/money.ts'
import { type AppliedPromotion, decidePromotions, type PromotionRule } from '../../../../core/promotions.ts'
import { isWeighed, itemGross } from '../../../../core/sale-totals.ts'
import type { Warning } from '../../promotions/index.ts'
import type { Item, Sale, SalePromotion } from '../sale/types.ts'

/** What decides the promotions of a sale besides its items. */
export type PromotionSetting = {
  facts: SaleFacts
  promotions: readonly PromotionRule[]
  customerId: string | null
  codes: readonly string[]
  usedIds: ReadonlySet<string>
  /** The category of goods; null for an open item. */
  categoryOf(variantId: string | null): string | null
  /** The instant that all items were ordered at, if it is not that of their rows: the time of an offline sale. */
  orderedAt?: string | undefined
}

type Promotable = Pick<
  Item,
  'variantId' | 'quantity' | 'unitPrice' | 'modifiers' | 'discount' | 'createdAt' | 'soldBy' | 'labelPrice'
> & { pack: object | null }

const grossOf = ({ modifiers, ...item }: Omit<Promotable, 'variantId' | 'discount' | 'createdAt'>) =>
  itemGross({ ...item, modifiers: modifiers ?? [] })

/** The promotions that apply to items, each with its part of every item. */
function promotionsFor(items: readonly Promotable[], setting: PromotionSetting): AppliedPromotion[] {
  const { facts, promotions, customerId, codes, usedIds, categoryOf, orderedAt } = setting
  return decidePromotions(promotions, {
    ...facts,
    customerId,
    codes,
    usedIds,
    items: items.map((item) => ({
      variantId: item.variantId,
      categoryId: categoryOf(item.variantId),
      quantity: item.quantity,
      isWeighed: isWeighed(item),
      // A discount above its item is refused when the sale is priced.
      net: Math.max(0, grossOf(item) - item.discount),
      orderedAt: orderedAt ?? item.createdAt,
    })),
  })
}

export type PromotedItems = { items: Item[]; promotions: SalePromotion[] | null }

/** The items with their parts of the promotions that apply now, instead of those that they had. */
export function promoted(items: readonly Item[], setting: PromotionSetting): PromotedItems {
  if (setting.promotions.length === 0 && items.every((item) => item.promotions === null))
    return { items: [...items], promotions: null }
  const applied = promotionsFor(items, setting)
  return {
    items: items.map((item, place) =>
      withParts(
        item,
        applied.flatMap(({ id, shares }) => {
          const amount = shares[place] ?? 0
          return amount > 0 ? [{ id, amount }] : []
        }),
      ),
    ),
    promotions: applied.length === 0 ? null : applied.map(({ id, name, amount }) => ({ id, name, amount })),
  }
}

/** The item with these parts of promotions instead of those that it had. */
export const withParts = (item: Item, parts: readonly { id: string; amount: number }[]): Item => ({
  ...item,
  promotions: parts.length === 0 ? null : parts.map(({ id, amount }) => ({ id, amount })),
  promotionShare: sum(parts.map(({ amount }) => amount)),
})

type PrintedPart = { id: string; name: string; amount: number }

/** An offline sale keeps the promotions that its till printed, item by item (B-promo-9). */
export function printedPromotions(
  items: readonly Item[],
  printed: readonly (readonly PrintedPart[] | undefined)[],
): PromotedItems {
  const named = printed.flatMap((parts) => parts ?? [])
  const promotedItems = items.map((item, place) => withParts(item, printed[place] ?? []))
  promotedItems.forEach((item, place) => {
    if (item.promotionShare <= grossOf(item) - item.discount) return
    throw invalid(`items[${place}].promotions`, 'The promotions are larger than the price of the item')
  })
  return { items: promotedItems, promotions: frozenPromotions(named, promotedItems) }
}

/** The promotions of a sale by the parts that its active items hold; names come from `known`. */
export function frozenPromotions(
  known: readonly { id: string; name: string }[],
  items: readonly Pick<Item, 'promotions'>[],
): SalePromotion[] | null {
  const names = new Map(known.map(({ id, name }) => [id, name]))
  const amounts = new Map([...names.keys()].map((id) => [id, 0]))
  for (const { id, amount } of items.flatMap(({ promotions }) => promotions ?? []))
    amounts.set(id, (amounts.get(id) ?? 0) + amount)
  const frozen = [...amounts].flatMap(([id, amount]) =>
    amount > 0 ? [{ id, name: names.get(id) ?? id, amount }] : [],
  )
  return frozen.length === 0 ? null : frozen
}

/** Warns about codes that give nothing in this sale (B-promo-5). */
export function voucherWarnings(
  vouchers: readonly { id: string; index: number }[],
  { promotions }: Pick<Sale, 'promotions'>,
): Warning[] {
  const applied = new Set((promotions ?? []).map(({ id }) => id))
  return vouchers
    .filter(({ id }) => !applied.has(id))
    .map(({ index }) => ({
      code: 'VOUCHER_NOT_APPLIED',
      field: `voucherCodes[${index}]`,
      message:
        'The voucher gives no discount in this sale: its conditions are not met, or another promotion gives more',
    }))
}
