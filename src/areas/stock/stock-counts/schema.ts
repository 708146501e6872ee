import { type Static, Type } from 'typebox'
import { SOLD_BY } from '../../../core/weights.ts'
import {
  FilterId,
  Id,
  Instant,
  Nullable,
  PageQuery,
  Text,
  Timestamps,
  Words,
} from '../../../platform/http/shapes.ts'

const COUNT_STATUSES = ['OPEN', 'POSTED', 'CANCELLED'] as const
export type CountStatus = (typeof COUNT_STATUSES)[number]
const Status = Words(COUNT_STATUSES)

/** The largest level that a line can state. */
export const MAX_COUNTED = 1_000_000_000
/** The most lines of one request. */
export const MAX_LINES = 500

export const CountIn = Type.Object(
  {
    outletId: Id,
    categoryIds: Type.Optional(
      Nullable(
        Type.Array(Id, {
          minItems: 1,
          maxItems: 200,
          description: 'Only goods of these categories are counted; null or missing: all goods',
        }),
      ),
    ),
    blind: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Hides the expected quantities until the count is posted',
      }),
    ),
  },
  { title: 'StockCountCreate' },
)
export const LinesIn = Type.Object(
  {
    lines: Type.Optional(
      Type.Array(
        Type.Object({
          variantId: Id,
          quantity: Type.Integer({
            minimum: 0,
            maximum: MAX_COUNTED,
            description: 'Units that were counted, or grams of goods sold by weight',
          }),
        }),
        { minItems: 1, maxItems: MAX_LINES },
      ),
    ),
    csv: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100_000,
        description:
          'Lines as a table instead of `lines`: the column quantity and one of variantId, sku and barcode, at most 500 rows',
      }),
    ),
  },
  { title: 'StockCountLines' },
)
export const CountQuery = Type.Object({ outletId: FilterId, status: Type.Optional(Status), ...PageQuery })

const hidden = 'null while a blind count is open'
export const CountLine = Type.Object(
  {
    variantId: Id,
    productName: Text(160),
    variantName: Text(80),
    sku: Nullable(Type.String()),
    soldBy: Words(SOLD_BY, { description: 'WEIGHT: quantities are grams' }),
    quantity: Type.Integer({ minimum: 0, description: 'Units or grams that were counted last' }),
    expected: Nullable(
      Type.Integer({ description: `The level at the moment the line was counted; ${hidden}` }),
    ),
    variance: Nullable(Type.Integer({ description: `quantity - expected; ${hidden}` })),
    countedBy: Id,
    countedAt: Instant,
  },
  { title: 'StockCountLine' },
)
const Fields = {
  id: Id,
  outletId: Id,
  categoryIds: Nullable(Type.Array(Id)),
  blind: Type.Boolean(),
  status: Status,
  lineCount: Type.Integer({ minimum: 0 }),
  createdBy: Id,
  postedBy: Nullable(Id),
  postedAt: Nullable(Instant),
  cancelledAt: Nullable(Instant),
  ...Timestamps,
}
export const StockCount = Type.Object(Fields, { title: 'StockCount' })
export const StockCountDetail = Type.Object(
  {
    ...Fields,
    lines: Type.Array(CountLine, {
      description: 'What was counted, by name; the last count of each variant',
    }),
  },
  { title: 'StockCountDetail' },
)

export type CountIn = Static<typeof CountIn>
export type LinesIn = Static<typeof LinesIn>
export type CountQuery = Static<typeof CountQuery>
export type CountLine = Static<typeof CountLine>
export type StockCount = Static<typeof StockCount>
export type StockCountDetail = Static<typeof StockCountDetail>
