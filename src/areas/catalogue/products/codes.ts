import { invalid } from '../../../core/errors.ts'
import { newId } from '../../../core/ids.ts'
import { emptyToNull } from '../../../core/text.ts'
import type { StoredPack } from '../../../platform/db/tables/catalogue.ts'
import type { PackIn, VariantPatch } from './schema.ts'

/** The barcodes and packs of a variant as its row keeps them; null means none. */
export type VariantCodes = {
  barcode: string | null
  otherBarcodes: string[] | null
  packs: StoredPack[] | null
}
export const NO_CODES: VariantCodes = { barcode: null, otherBarcodes: null, packs: null }

export type SentCodes = Pick<VariantPatch, 'barcode' | 'barcodes' | 'packs'>

/** The barcodes of a variant, the first one first. */
export const barcodesOf = ({ barcode, otherBarcodes }: Pick<VariantCodes, 'barcode' | 'otherBarcodes'>) =>
  barcode === null ? [] : [barcode, ...(otherBarcodes ?? [])]

/** Every barcode that a lookup finds the variant by, those of its packs included. */
export const codesOf = (variant: VariantCodes): string[] => [
  ...barcodesOf(variant),
  ...(variant.packs ?? []).flatMap(({ barcode }) => barcode ?? []),
]

/** `barcode` alone replaces the first barcode and keeps the others (B-pack-2). */
function barcodesAfter(known: readonly string[], { barcode, barcodes }: SentCodes): readonly string[] {
  if (barcodes !== undefined) return barcodes
  if (barcode === undefined) return known
  const first = emptyToNull(barcode)
  const others = known.slice(1).filter((code) => code !== first)
  return first === null ? others : [first, ...others]
}

/** A pack that is sent with its id keeps the price and barcode that are not sent. */
function packAfter(known: readonly StoredPack[], { id, name, factor, barcode, price }: PackIn): StoredPack {
  const same = known.find((pack) => pack.id === id)
  return {
    id: same?.id ?? newId('pack'),
    name,
    factor,
    price: price === undefined ? (same?.price ?? null) : price,
    barcode: barcode === undefined ? (same?.barcode ?? null) : emptyToNull(barcode),
  }
}

/** Applies the barcodes and packs of a body to those of a variant. */
export function changedCodes(known: VariantCodes, sent: SentCodes): VariantCodes {
  const [first = null, ...others] = barcodesAfter(barcodesOf(known), sent)
  const packs = sent.packs?.map((pack) => packAfter(known.packs ?? [], pack)) ?? known.packs
  return {
    barcode: first,
    otherBarcodes: others.length === 0 ? null : others,
    packs: packs === null || packs.length === 0 ? null : packs,
  }
}

/** Throws 422 for a pack that is listed twice, and for a `barcode` that is not the first of `barcodes`. */
export function requireConsistent(path: string, { barcode, barcodes, packs = [] }: SentCodes) {
  if (barcode !== undefined && barcodes !== undefined && emptyToNull(barcode) !== (barcodes[0] ?? null))
    throw invalid(
      `${path}barcode`,
      'barcode is the first entry of barcodes; send only barcodes, or the same code in both',
    )
  const seen = new Set<string>()
  packs.forEach(({ id }, index) => {
    if (id === undefined) return
    if (seen.has(id)) throw invalid(`${path}packs[${index}].id`, 'This pack is in the list twice')
    seen.add(id)
  })
}
