import { type Static, Type } from 'typebox'
import { Id, Instant, Nullable, Words } from '../../../platform/http/shapes.ts'
import { LABEL_PAPERS } from './papers.ts'
import { DESIGNS, MOST_ON_PAPER } from './rules.ts'

const Copies = Type.Integer({ minimum: 1, maximum: 1_000 })
const LabelItem = Type.Object(
  {
    variantId: Id,
    packId: Type.Optional(
      Type.Unsafe<string | null>({
        ...Nullable(Id),
        description: 'A pack of the variant: the label has its barcode and its price',
      }),
    ),
    copies: Type.Optional({ ...Copies, default: 1 }),
  },
  { title: 'LabelItem' },
)

/** A body has at least one of these four; the goods of all of them get labels. */
const Goods = {
  items: Type.Optional(Type.Array(LabelItem, { minItems: 1, maxItems: 500 })),
  categoryId: Type.Optional({ ...Id, description: 'All active goods of the category' }),
  changedSince: Type.Optional({
    ...Instant,
    description: 'RFC 3339: all active goods that were changed since, whatever changed',
  }),
  purchaseOrderId: Type.Optional({
    ...Id,
    description: 'One label for each unit of the order, one for each item sold by weight',
  }),
}
const Settable = {
  ...Goods,
  count: Type.Optional(
    Words(['RECEIVED', 'ORDERED'], {
      default: 'RECEIVED',
      description: 'Which units of the purchase order get labels',
    }),
  ),
  copies: Type.Optional({
    ...Copies,
    default: 1,
    description: 'Labels of each of the goods of `categoryId` or `changedSince`',
  }),
  priceListId: Type.Optional({
    ...Id,
    description:
      'Prices of this list, also outside its conditions; the catalogue’s for goods without an entry',
  }),
  design: Type.Optional(
    Words(DESIGNS, {
      default: 'PRICE',
      description: 'PRICE is for goods and has a large barcode; SHELF is for shelves and has a large price',
    }),
  ),
}

export const LabelFile = Type.Object(
  {
    ...Settable,
    paper: Words(LABEL_PAPERS, {
      description:
        'A4_21 is an A4 sheet with 21 labels (63.5 × 38.1 mm), A4_24 has 70 × 37 mm, A4_40 52.5 × 29.7 mm and A4_65 38.1 × 21.2 mm. ROLL_40X30 is a roll with labels of 40 × 30 mm',
    }),
    skip: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: MOST_ON_PAPER - 1,
        default: 0,
        description: 'Labels of the first sheet that are used up',
      }),
    ),
  },
  { title: 'LabelFile' },
)
export const LabelPrint = Type.Object({ ...Settable, printerId: Id }, { title: 'LabelPrint' })

export type LabelRequest = Omit<Static<typeof LabelFile>, 'paper' | 'skip'>
export type LabelFile = Static<typeof LabelFile>
export type LabelPrint = Static<typeof LabelPrint>
