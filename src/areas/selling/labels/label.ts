import { labelOf } from '../../../core/labels.ts'
import { type PricedPack, priceOfPack } from '../../../core/packs.ts'
import { clean, rupiah } from '../../../core/paper/format.ts'
import { type Barcode, CUT, centered, type PaperRow } from '../../../core/paper/rows.ts'
import { type PriceListRule, priceInList } from '../../../core/prices.ts'
import type { SoldBy } from '../../../core/weights.ts'
import type { Design } from './rules.ts'

/**
 * The most labels of one print job. A receipt printer takes about a third of a second for each, and a try ends after 8 seconds
 * (B-print-10).
 */
const LABELS_PER_JOB = 10

/** The goods of a label, as the catalogue has them. */
export type LabelGoods = {
  variantId: string
  productName: string
  variantName: string
  categoryId: string | null
  sku: string | null
  barcode: string | null
  packs: readonly (PricedPack & { barcode: string | null })[]
  price: number
  soldBy: SoldBy
}
export type LabelPack = LabelGoods['packs'][number]

/** The texts of a label, and its code. */
export type Label = {
  name: string
  price: string
  /** What the price is for, if not for one piece: "/kg", or the name of a pack. */
  per: string
  code: string | null
  barcode: Barcode | null
}
export type LabelRun = { label: Label; copies: number }

type Encoder = (code: string) => Barcode | null

/** The label of goods or of a pack of them. A list prices the unit; a pack without its own price costs its units (B-label-2). */
export function labelFor(
  goods: LabelGoods,
  pack: LabelPack | null,
  { list, encode }: { list: PriceListRule | null; encode: Encoder },
): Label {
  const unitPrice = list ? priceInList(list, goods) : goods.price
  const price = priceOfPack({ price: unitPrice, soldBy: goods.soldBy }, pack)
  const code = pack ? pack.barcode : (goods.barcode ?? goods.sku)
  const perUnit = goods.soldBy === 'WEIGHT' ? '/kg' : ''
  return {
    name: clean(labelOf(goods.productName, goods.variantName)),
    price: rupiah(price),
    per: pack ? clean(`/${pack.name}`) : perUnit,
    code: code === null ? null : clean(code),
    barcode: code === null ? null : encode(code),
  }
}

/** Every label, one after the other. */
const eachLabel = (runs: readonly LabelRun[]): Label[] =>
  runs.flatMap(({ label, copies }) => Array.from({ length: copies }, () => label))

/** The rows of one label on a receipt printer. */
function rowsOfLabel({ name, price, per, code, barcode }: Label, design: Design): PaperRow[] {
  const priced = `${price}${per === '' ? '' : ` ${per}`}`
  return [
    centered(name, true),
    design === 'SHELF' || barcode === null ? { kind: 'banner', text: priced } : centered(priced, true),
    ...(barcode === null ? [] : [{ kind: 'barcode', ...barcode } as const]),
    ...(code === null ? [] : [centered(code)]),
  ]
}

/** The papers of the jobs that print labels: each label is cut off. */
export function jobsOfLabels(runs: readonly LabelRun[], design: Design): PaperRow[][] {
  const labels = eachLabel(runs)
  return Array.from({ length: Math.ceil(labels.length / LABELS_PER_JOB) }, (_, at) =>
    labels
      .slice(at * LABELS_PER_JOB, (at + 1) * LABELS_PER_JOB)
      .flatMap((label, index) => [...(index === 0 ? [] : [CUT]), ...rowsOfLabel(label, design)]),
  )
}
