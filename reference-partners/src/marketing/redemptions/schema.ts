import { Nullable, Timestamps, Words } from 'kasir/partner-tools'
import { type Static, Type } from 'typebox'

export const STATUSES = ['reserved', 'redeemed', 'released'] as const

const Rupiah = Type.Integer({ minimum: 0, maximum: 1_000_000_000_000, description: 'Whole rupiah' })
const Points = Type.Integer({ minimum: 0, maximum: 1_000_000_000 })

export const RedemptionRequest = Type.Object(
  {
    subtotal: Type.Integer({ ...Rupiah, description: 'The goods before this discount, whole rupiah' }),
    discountCode: Type.Optional(Nullable(Type.String({ minLength: 1, maxLength: 50 }))),
    points: Type.Optional(Nullable(Points)),
    customer: Type.Optional(
      Nullable(
        Type.Object({
          id: Type.String({ minLength: 1, maxLength: 64 }),
          pointsBalance: Type.Integer({
            description: 'What the merchant’s books say; what was redeemed here is taken off it',
          }),
          pointsBooked: Type.Optional(
            Type.Integer({
              minimum: 0,
              maximum: 1_000_000_000_000,
              default: 0,
              description:
                'Points of completed sales redeemed here that `pointsBalance` has lost already: they are not taken off again',
            }),
          ),
        }),
      ),
    ),
  },
  { title: 'Wanted' },
)

export const Confirmation = Type.Object(
  {
    points: Type.Optional(
      Type.Integer({
        ...Points,
        description:
          'Points that the sale redeemed in the end; those that are held above them may be used again',
      }),
    ),
  },
  { title: 'Confirmation' },
)

const part = { amount: Rupiah, reason: Nullable(Type.String({ description: 'Why it is worth nothing' })) }
const Value = {
  promoDiscount: Type.Integer({ ...Rupiah, description: 'What both take off together' }),
  discount: Nullable(Type.Object({ code: Type.String(), ...part })),
  points: Nullable(
    Type.Object({
      asked: Points,
      used: Type.Integer({ ...Points, description: 'Fewer than asked where fewer pay the goods' }),
      ...part,
    }),
  ),
}
export const Valuation = Type.Object(Value, { title: 'Valuation' })
export const Redemption = Type.Object(
  {
    reference: Type.String({ description: 'The merchant’s own name for the sale' }),
    status: Words(STATUSES, {
      description: 'reserved: the sale is open; redeemed: it was completed; released: it did not come about',
    }),
    ...Value,
    customerId: Nullable(Type.String()),
    ...Timestamps,
  },
  { title: 'Redemption' },
)
export const PointSettings = Type.Object(
  {
    pointValue: Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'Rupiah that a point is worth' }),
  },
  { title: 'PointSettings' },
)
export const PointBalance = Type.Object(
  {
    customerId: Type.String(),
    redeemed: Type.Integer({ description: 'Points of sales that were completed' }),
    reserved: Type.Integer({ description: 'Points of bills that are open' }),
    pointValue: PointSettings.properties.pointValue,
  },
  { title: 'PointBalance' },
)

export type RedemptionRequest = Static<typeof RedemptionRequest>
export type Valuation = Static<typeof Valuation>
export type Redemption = Static<typeof Redemption>
export type PointBalance = Static<typeof PointBalance>
