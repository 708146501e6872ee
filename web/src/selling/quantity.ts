import { isWeighed, kilograms, shortWeight } from '../core.ts'

type SaleUnit = { soldBy?: 'UNIT' | 'WEIGHT' | undefined; pack?: object | null | undefined }
type Counted = SaleUnit & { quantity: number }

export const isWeighedLine = ({ soldBy, pack }: SaleUnit): boolean =>
  isWeighed({ soldBy: soldBy ?? null, pack: pack ?? null })

/** The quantity of a line in words: 2, or 0,750 kg. */
export const quantityText = (line: Counted): string =>
  isWeighedLine(line) ? kilograms(line.quantity, ',') : String(line.quantity)

/** The quantity of an item on a board: 2, 2 strip, 750 g or 1,25 kg. */
export const boardQuantity = (
  item: SaleUnit & { pack?: { name: string } | null },
  quantity: number,
): string =>
  isWeighedLine(item)
    ? shortWeight(quantity, ',')
    : [quantity, item.pack?.name].filter((part) => part !== undefined).join(' ')

/** The goods that a line counts as: a weight is one. */
export const goodsIn = (line: Counted): number => (isWeighedLine(line) ? 1 : line.quantity)
