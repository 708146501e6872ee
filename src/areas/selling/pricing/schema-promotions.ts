import { type Static, Type } from 'typebox'
import { MAX_SALE_TOTAL } from '../../../core/money.ts'
import { PROMOTION_KINDS } from '../../../core/promotions.ts'
import { Id, Nullable, Text, Timestamps, Words } from '../../../platform/http/shapes.ts'
import { ConditionFields, Priority } from './schema.ts'

const Goods = Type.Array(Id, { title: 'PromotedGoods', minItems: 1, maxItems: 1_000 })
const Money = (minimum: number) =>
  Type.Integer({ minimum, maximum: MAX_SALE_TOTAL, description: 'Whole rupiah' })
const Units = Type.Integer({ minimum: 1, maximum: 1_000 })

const BundlePart = Type.Object(
  { variantId: Type.Optional(Nullable(Id)), categoryId: Type.Optional(Nullable(Id)), quantity: Units },
  { title: 'BundlePart', description: 'A number of units of a variant, or of any goods of a category' },
)

const Fields = {
  priority: Priority,
  stackable: Type.Boolean({
    description: 'Stackable promotions add up; the best of the others competes with their sum',
  }),
  percentBps: Nullable(
    Type.Integer({
      title: 'PromotionPercent',
      minimum: 1,
      maximum: 10_000,
      description: 'For PERCENT: the discount in basis points, such as 1000 for 10%',
    }),
  ),
  amount: Nullable({
    ...Money(1),
    title: 'PromotionAmount',
    description: 'For AMOUNT: the discount in whole rupiah',
  }),
  buyQuantity: Nullable({
    ...Units,
    title: 'BuyQuantity',
    description: 'For BUY_X_GET_Y: the paid units of each group',
  }),
  getQuantity: Nullable({
    ...Units,
    title: 'GetQuantity',
    description: 'For BUY_X_GET_Y: the free units of each group',
  }),
  bundle: Nullable(Type.Array(BundlePart, { minItems: 1, maxItems: 20 })),
  bundlePrice: Nullable({
    ...Money(0),
    title: 'BundlePrice',
    description: 'For BUNDLE: the price of its goods together, in whole rupiah',
  }),
  variantIds: Nullable({
    ...Goods,
    title: 'PromotedVariants',
    description: 'With `categoryIds`: the goods that it covers. Without both the whole order',
  }),
  categoryIds: Nullable(Goods),
  minSpend: Nullable({
    ...Money(1),
    title: 'MinimumSpend',
    description: 'Items after their own discounts, in whole rupiah',
  }),
  code: Nullable(
    Type.String({
      minLength: 1,
      maxLength: 50,
      title: 'VoucherCode',
      pattern: '^[^\\s]+$',
      'x-form': 'a code without spaces',
      description: 'A voucher code, compared without case. Without one the promotion applies by itself',
    }),
  ),
  usageLimit: Nullable(
    Type.Integer({
      title: 'UsageLimit',
      minimum: 1,
      maximum: 1_000_000_000,
      description: 'How many completed sales may use the code',
    }),
  ),
  oncePerCustomer: Type.Boolean({ description: 'Needs a customer, who can use it in one completed sale' }),
  ...ConditionFields,
}
const Kind = Words(PROMOTION_KINDS)
const Optional = Type.Partial(Type.Object(Fields)).properties
export const PromotionIn = Type.Object(
  { name: Text(80), kind: Kind, ...Optional },
  { title: 'PromotionCreate' },
)
export const PromotionPatch = Type.Partial(Type.Object({ name: Text(80), ...Fields }), {
  title: 'PromotionUpdate',
})
export const Promotion = Type.Object(
  {
    id: Id,
    name: Text(80),
    kind: Kind,
    ...Fields,
    bundle: Nullable(
      Type.Array(
        Type.Object(
          { variantId: Nullable(Id), categoryId: Nullable(Id), quantity: Type.Integer() },
          { title: 'PromotionBundlePart' },
        ),
      ),
    ),
    usedCount: Type.Integer({ description: 'Completed sales that used the code and are not voided' }),
    ...Timestamps,
  },
  { title: 'Promotion' },
)

export type PromotionIn = Static<typeof PromotionIn>
export type PromotionPatch = Static<typeof PromotionPatch>
export type Promotion = Static<typeof Promotion>
