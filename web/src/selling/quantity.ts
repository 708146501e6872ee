import { isWeighed, kilograms } from '../core.ts'

type SaleUnit = { soldBy?: 'UNIT' | 'WEIGHT' | undefined; pack?: object | null | undefined }
type Counted = SaleUnit & { quantity: number }

export const isWeighedLine = ({ soldBy, pack }: SaleUnit): boolean =>
  isWeighed({ soldBy: soldBy ?? null, pack: pack ?? null })

/** The quantity of a line as people read it: 2, or 0,750 kg. */
export const quantityText = (line: Counted): string =>
  isWeighedLine(line) ? kilograms(line.quantity, ',') : String(line.quantity)

/** The goods that a line counts as: a weight is one. */
export const goodsIn = (line: Counted): number => (isWeighedLine(line) ? 1 : line.quantity)
