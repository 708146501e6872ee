import { Instant, Nullable, Timestamps, Words } from 'kasir/partner-tools'
import { type Static, Type } from 'typebox'

export const KINDS = ['percent', 'fixed'] as const
const Money = Type.Integer({ minimum: 1, maximum: 1_000_000_000, description: 'Whole rupiah' })
const Code = Type.String({ minLength: 1, maxLength: 50, pattern: '^[A-Za-z0-9_-]+$' })

const Settable = {
  minSubtotal: Type.Integer({ minimum: 0, maximum: 1_000_000_000_000 }),
  maxDiscount: Nullable(Money),
  maxUses: Nullable(Type.Integer({ minimum: 1, maximum: 1_000_000_000 })),
  startsAt: Nullable(Instant),
  endsAt: Nullable(Type.String({ ...Instant, description: 'The code is invalid from this instant on' })),
  isActive: Type.Boolean(),
}

export const Discount = Type.Object(
  {
    id: Type.String(),
    code: Type.String({ description: 'In capitals; compared without regard to case' }),
    kind: Words(KINDS),
    value: Type.Integer({ description: 'Percent, 1 to 100, or whole rupiah' }),
    ...Settable,
    uses: Type.Integer({ description: 'Sales that have it, open bills included' }),
    ...Timestamps,
  },
  { title: 'Discount' },
)
export const DiscountCreate = Type.Object(
  { code: Code, kind: Words(KINDS), value: Money, ...Type.Partial(Type.Object(Settable)).properties },
  { title: 'DiscountCreate' },
)
export const DiscountPatch = Type.Partial(Type.Object(Settable), { title: 'DiscountUpdate' })

export type Discount = Static<typeof Discount>
export type DiscountCreate = Static<typeof DiscountCreate>
export type DiscountPatch = Static<typeof DiscountPatch>
