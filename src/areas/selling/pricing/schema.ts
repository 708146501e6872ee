import { type Static, Type } from 'typebox'
import { MAX_PRICE } from '../../../core/prices.ts'
import { Id, Instant, Nullable, Rupiah, Text, Timestamps, Words } from '../../../platform/http/shapes.ts'

export const MAX_ENTRIES = 5_000
const Ids = Type.Array(Id, { title: 'ConditionIds', minItems: 1, maxItems: 200 })
const Clock = (title: string, pattern: string, description: string) =>
  Nullable(
    Type.String({ title, maxLength: 5, pattern, description, 'x-form': 'a time of day such as 17:30' }),
  )

/** When and for which sales a list applies; null or absent is no condition (B-price-2). */
export const ConditionFields = {
  isActive: Type.Boolean(),
  outletIds: Nullable(Ids),
  orderTypes: Nullable(
    Type.Array(Words(['DINE_IN', 'TAKEAWAY', 'DELIVERY']), { title: 'OrderTypes', minItems: 1, maxItems: 3 }),
  ),
  channels: Nullable(
    Type.Array(Text(40), {
      title: 'Channels',
      minItems: 1,
      maxItems: 50,
      description: 'Compared without case with `channel` of the sale',
    }),
  ),
  customerGroupIds: Nullable(Ids),
  weekdays: Nullable(
    Type.Array(Type.Integer({ minimum: 1, maximum: 7 }), {
      title: 'Weekdays',
      minItems: 1,
      maxItems: 7,
      description: '1 is Monday. A window over midnight belongs to the weekday on which it starts',
    }),
  ),
  from: Clock('WindowStart', '^([01]\\d|2[0-3]):[0-5]\\d$', 'HH:MM at the outlet'),
  to: Clock(
    'WindowEnd',
    '^(([01]\\d|2[0-3]):[0-5]\\d|24:00)$',
    'HH:MM at the outlet, exclusive. A time before `from` means the next day',
  ),
  startsAt: Nullable(Instant),
  endsAt: Nullable({ ...Instant, description: 'RFC 3339, exclusive' }),
}
export const Priority = Type.Integer({
  title: 'Priority',
  minimum: -1_000_000,
  maximum: 1_000_000,
  description: 'Lower first; the older one on a tie',
})

const Entry = Type.Object(
  {
    variantId: Type.Optional(Nullable(Id)),
    categoryId: Type.Optional(Nullable(Id)),
    price: Type.Optional(Nullable(Rupiah)),
    adjustBps: Type.Optional(
      Nullable(
        Type.Integer({
          minimum: -10_000,
          maximum: 100_000,
          description: 'Basis points on the price of the catalogue; negative lowers it',
        }),
      ),
    ),
    roundTo: Type.Optional(
      Nullable(
        Type.Integer({
          minimum: 1,
          maximum: MAX_PRICE,
          description: 'Rounds an adjusted price to the nearest multiple, half up',
        }),
      ),
    ),
  },
  {
    title: 'PriceListEntry',
    description: 'Either a variant or a category, and either a price or an adjustment',
  },
)
export type EntryIn = Static<typeof Entry>
const Entries = Type.Array(Entry, { maxItems: MAX_ENTRIES })

const Optional = Type.Partial(
  Type.Object({ priority: Priority, ...ConditionFields, entries: Entries }),
).properties
export const PriceListIn = Type.Object({ name: Text(80), ...Optional }, { title: 'PriceListCreate' })
export const PriceListPatch = Type.Partial(Type.Object({ name: Text(80), ...Optional }), {
  title: 'PriceListUpdate',
})
export const PriceList = Type.Object(
  {
    id: Id,
    name: Text(80),
    priority: Priority,
    ...ConditionFields,
    entries: Type.Array(
      Type.Object({
        variantId: Nullable(Id),
        categoryId: Nullable(Id),
        price: Nullable(Rupiah),
        adjustBps: Nullable(Type.Integer()),
        roundTo: Nullable(Type.Integer()),
      }),
    ),
    ...Timestamps,
  },
  { title: 'PriceList' },
)

export type PriceListIn = Static<typeof PriceListIn>
export type PriceListPatch = Static<typeof PriceListPatch>
export type PriceList = Static<typeof PriceList>
