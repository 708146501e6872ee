import type { Promotion } from 'kasir-client'
import {
  type ConditionsForm,
  conditionsBody,
  NO_CONDITIONS,
  orNull,
  toConditionsForm,
} from '../../office/conditions/conditions-values.ts'
import type { PickedGoods } from '../../office/goods-picker.tsx'
import type { GoodsNames } from '../../office/use-goods-names.ts'

/** Goods that a promotion covers, with their units in a bundle. */
export type GoodsRow = Pick<PickedGoods, 'of' | 'id' | 'name'> & { quantity: number | null }

/**
 * The fields that the form of a promotion changes. Fields of another kind keep their typed values and are not sent.
 */
export type PromotionForm = ConditionsForm & {
  name: string
  kind: string
  percentBps: number | null
  amount: number | null
  buyQuantity: number | null
  getQuantity: number | null
  bundlePrice: number | null
  goods: readonly GoodsRow[]
  minSpend: number | null
  code: string | null
  usageLimit: number | null
  oncePerCustomer: boolean
  stackable: boolean
  priority: number | null
}

export const NEW_PROMOTION: PromotionForm = {
  ...NO_CONDITIONS,
  name: '',
  kind: 'PERCENT',
  percentBps: null,
  amount: null,
  buyQuantity: 2,
  getQuantity: 1,
  bundlePrice: null,
  goods: [],
  minSpend: null,
  code: null,
  usageLimit: null,
  oncePerCustomer: false,
  stackable: true,
  priority: 0,
}

const rowOf = (of: GoodsRow['of'], id: string, names: GoodsNames, quantity = 1): GoodsRow => ({
  of,
  id,
  name: names[of](id),
  quantity,
})

function goodsOf({ bundle, variantIds, categoryIds }: Promotion, names: GoodsNames): GoodsRow[] {
  const parts = (bundle ?? []).map(({ variantId, categoryId, quantity }) =>
    rowOf(variantId === null ? 'category' : 'variant', variantId ?? categoryId ?? '', names, quantity),
  )
  return [
    ...parts,
    ...(categoryIds ?? []).map((id) => rowOf('category', id, names)),
    ...(variantIds ?? []).map((id) => rowOf('variant', id, names)),
  ]
}

export const toPromotionForm = (promotion: Promotion, names: GoodsNames): PromotionForm => ({
  ...toConditionsForm(promotion),
  name: promotion.name,
  kind: promotion.kind,
  percentBps: promotion.percentBps,
  amount: promotion.amount,
  buyQuantity: promotion.buyQuantity,
  getQuantity: promotion.getQuantity,
  bundlePrice: promotion.bundlePrice,
  goods: goodsOf(promotion, names),
  minSpend: promotion.minSpend,
  code: promotion.code,
  usageLimit: promotion.usageLimit,
  oncePerCustomer: promotion.oncePerCustomer,
  stackable: promotion.stackable,
  priority: promotion.priority,
})

const idsOf = (goods: readonly GoodsRow[], of: GoodsRow['of']) =>
  orNull(goods.filter((row) => row.of === of).map(({ id }) => id))

/** The fields of the kind; those of other kinds are null (B-promo-1). */
function kindBody(values: PromotionForm) {
  const { kind, goods } = values
  const isBundle = kind === 'BUNDLE'
  return {
    percentBps: kind === 'PERCENT' ? values.percentBps : null,
    amount: kind === 'AMOUNT' ? values.amount : null,
    buyQuantity: kind === 'BUY_X_GET_Y' ? values.buyQuantity : null,
    getQuantity: kind === 'BUY_X_GET_Y' ? values.getQuantity : null,
    bundlePrice: isBundle ? values.bundlePrice : null,
    bundle: isBundle
      ? orNull(
          goods.map(({ of, id, quantity }) => ({
            ...(of === 'variant' ? { variantId: id } : { categoryId: id }),
            quantity: quantity ?? 1,
          })),
        )
      : null,
    variantIds: isBundle ? null : idsOf(goods, 'variant'),
    categoryIds: isBundle ? null : idsOf(goods, 'category'),
  }
}

/** All fields but the kind, which never changes. A usage limit needs a code and goes with it. */
export const promotionBody = (values: PromotionForm) => ({
  ...conditionsBody(values),
  ...kindBody(values),
  name: values.name,
  minSpend: values.minSpend,
  code: values.code,
  usageLimit: values.code === null ? null : values.usageLimit,
  oncePerCustomer: values.oncePerCustomer,
  stackable: values.stackable,
  ...(values.priority !== null && { priority: values.priority }),
})
