import { shortWeight } from '../core.ts'
import { formatAmount } from '../ui/rupiah.ts'

export type SoldBy = 'UNIT' | 'WEIGHT'

/** A quantity of goods as pages show it: 12, 750 g or 1,25 kg. */
export const amountOfGoods = (soldBy: SoldBy, quantity: number): string =>
  soldBy === 'WEIGHT' ? shortWeight(quantity, ',') : formatAmount(quantity)

/** The same with a plus before what was added. */
export const changeOfGoods = (soldBy: SoldBy, quantity: number): string =>
  `${quantity > 0 ? '+' : ''}${amountOfGoods(soldBy, quantity)}`

/** Units and grams are two figures: a sum of both would mean nothing. */
export const unitsAndWeight = ({ quantity, grams }: { quantity: number; grams: number }): string =>
  [
    ...(quantity !== 0 || grams === 0 ? [formatAmount(quantity)] : []),
    ...(grams === 0 ? [] : [amountOfGoods('WEIGHT', grams)]),
  ].join(' + ')
