import { weightOfAmount } from './weights.ts'

/** How a scale writes its barcodes: prefix, code of the item, weight or price, check digit (B-scale-1). */
export type ScaleBarcode = {
  prefix: string
  itemDigits: number
  valueDigits: number
  value: 'WEIGHT' | 'PRICE'
}
/** A barcode of a scale, read: `value` is grams or rupiah. */
export type ScaleLabel = { itemCode: string; kind: ScaleBarcode['value']; value: number }

/** True for 13 digits of which the last one checks the others (EAN-13). */
export function isEan13(code: string): boolean {
  if (!/^\d{13}$/.test(code)) return false
  const sum = [...code].reduce((total, digit, at) => total + Number(digit) * (at % 2 === 0 ? 1 : 3), 0)
  return sum % 10 === 0
}

/** Reads the barcode of a scale. Returns null if it is none, or if its check digit is wrong (B-scale-2). */
export function readScaleBarcode(code: string, formats: readonly ScaleBarcode[]): ScaleLabel | null {
  const format = formats.find(({ prefix }) => code.startsWith(prefix))
  if (!format || !isEan13(code)) return null
  const start = format.prefix.length
  const end = start + format.itemDigits
  return {
    itemCode: code.slice(start, end),
    kind: format.value,
    value: Number(code.slice(end, end + format.valueDigits)),
  }
}

/** What a label sells: grams, and the price that is printed on it if it has one. */
export type LabelledWeight = { quantity: number; labelPrice: number | null }
/** The label says no weight, or goods without a price per kilogram make no weight of its price. */
export type LabelFault = 'NO_WEIGHT' | 'NO_PRICE'

/** The grams of a label on goods at a price for a kilogram (B-scale-2). */
export function weighLabel({ kind, value }: ScaleLabel, perKilogram: number): LabelledWeight | LabelFault {
  if (kind === 'PRICE' && perKilogram === 0) return 'NO_PRICE'
  const quantity = kind === 'PRICE' ? weightOfAmount(value, perKilogram) : value
  if (quantity === 0) return 'NO_WEIGHT'
  return { quantity, labelPrice: kind === 'PRICE' ? value : null }
}
