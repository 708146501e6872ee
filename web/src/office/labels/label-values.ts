import type { LabelFile, LabelPrint } from 'kasir-client'
import { instantAt } from '../days.ts'
import { zoneOf } from '../outlet-zone.ts'
import type { LabelSource } from './source.ts'

export type LabelItem = { variantId: string; name: string; copies: number }
export type Paper = LabelFile['paper']

/** Label papers: how many labels are on a sheet (1 on a roll), and the size of one. */
export const PAPERS: readonly { paper: Paper; labels: number; size: string }[] = [
  { paper: 'A4_21', labels: 21, size: '63,5 × 38,1' },
  { paper: 'A4_24', labels: 24, size: '70 × 37' },
  { paper: 'A4_40', labels: 40, size: '52,5 × 29,7' },
  { paper: 'A4_65', labels: 65, size: '38,1 × 21,2' },
  { paper: 'ROLL_40X30', labels: 1, size: '40 × 30' },
  { paper: 'ROLL_50X30', labels: 1, size: '50 × 30' },
  { paper: 'ROLL_58X40', labels: 1, size: '58 × 40' },
  { paper: 'ROLL_80X50', labels: 1, size: '80 × 50' },
]

export type LabelValues = {
  which: 'items' | 'category' | 'changed'
  items: readonly LabelItem[]
  categoryId: string
  since: string
  copies: number
  count: 'RECEIVED' | 'ORDERED'
  design: 'PRICE' | 'SHELF'
  output: 'pdf' | 'printer'
  paper: Paper
  first: number
  printerId: string
}

export const firstValues = (source: LabelSource): LabelValues => ({
  which: source.kind === 'goods' && source.categoryId !== null ? 'category' : 'items',
  items: [],
  categoryId: source.kind === 'goods' ? (source.categoryId ?? '') : '',
  since: '',
  copies: 1,
  count: source.kind === 'order' && !source.hasReceived ? 'ORDERED' : 'RECEIVED',
  design: 'PRICE',
  output: 'pdf',
  paper: 'A4_24',
  first: 1,
  printerId: '',
})

type Goods = Pick<
  LabelPrint,
  'items' | 'categoryId' | 'changedSince' | 'purchaseOrderId' | 'count' | 'copies'
>

/** The goods in the form of a request; null while none are chosen. */
function goodsOf(source: LabelSource, values: LabelValues): Goods | null {
  const { which, items, categoryId, since, copies, count } = values
  if (source.kind === 'order') return { purchaseOrderId: source.orderId, count }
  if (which === 'category') return categoryId === '' ? null : { categoryId, copies }
  if (which === 'changed')
    return since === '' ? null : { changedSince: instantAt(zoneOf(), `${since}T00:00`), copies }
  return items.length === 0
    ? null
    : { items: items.map(({ variantId, copies: each }) => ({ variantId, copies: each })) }
}

/** The request for a PDF; null while the goods are not chosen. */
export function fileRequest(source: LabelSource, values: LabelValues): LabelFile | null {
  const goods = goodsOf(source, values)
  const { paper, first, design } = values
  const isSheet = PAPERS.some((each) => each.paper === paper && each.labels > 1)
  return goods && { ...goods, design, paper, ...(isSheet && { skip: first - 1 }) }
}

/** The request for print jobs; null while goods or printer are not chosen. */
export function printRequest(source: LabelSource, values: LabelValues): LabelPrint | null {
  const goods = goodsOf(source, values)
  const { printerId, design } = values
  return goods && printerId !== '' ? { ...goods, design, printerId } : null
}
