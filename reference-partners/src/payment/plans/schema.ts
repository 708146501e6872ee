import { Text, Timestamps, Words } from 'kasir/partner-tools'
import { type Static, Type } from 'typebox'
import { CURRENCIES } from '../sessions/rules.ts'
import { Money } from '../sessions/schema.ts'

export const INTERVALS = ['month', 'year'] as const

export const Price = Type.Object(
  {
    id: Type.String(),
    amount: Type.Integer(),
    currency: Words(CURRENCIES),
    interval: Words(INTERVALS),
    active: Type.Boolean(),
    ...Timestamps,
  },
  { title: 'Price' },
)
export type Price = Static<typeof Price>

export const Plan = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    active: Type.Boolean(),
    prices: Type.Array(Price),
    ...Timestamps,
  },
  { title: 'Plan' },
)
export type Plan = Static<typeof Plan>

export const PriceCreate = Type.Object(
  {
    amount: Money,
    currency: Type.Optional(Words(CURRENCIES, { default: 'IDR' })),
    interval: Words(INTERVALS),
  },
  { title: 'PriceCreate' },
)
export type PriceCreate = Static<typeof PriceCreate>
/** Subscribers agreed to a price, so its amount never changes: another amount is another price. */
export const PricePatch = Type.Object({ active: Type.Boolean() }, { title: 'PricePatch' })

export const MOST_PRICES = 50
export const PlanCreate = Type.Object(
  { name: Text(120), prices: Type.Optional(Type.Array(PriceCreate, { maxItems: MOST_PRICES })) },
  { title: 'PlanCreate' },
)
export const PlanPatch = Type.Object(
  { name: Type.Optional(Text(120)), active: Type.Optional(Type.Boolean()) },
  { title: 'PlanPatch' },
)
