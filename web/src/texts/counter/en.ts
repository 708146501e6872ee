import type { counterId } from './id.ts'

/** Labels of scales and channels at the register in English. */
export const counterEn: Readonly<Record<keyof typeof counterId, string>> = {
  channel: 'Channel',
  'channel.none': 'Direct',
  'label.NO_WEIGHT': 'The label of {goods} has no weight. Weigh the goods again.',
  'label.NO_PRICE':
    '{goods} has no price per kilogram. Set the price in Products, or print labels with the weight.',
  'label.TOO_HEAVY': 'The label of {goods} says more than 100 kg. Weigh the goods again, or type the weight.',
  'label.NOT_FOUND':
    'No weighed goods have the code {goods}. Enter it as the barcode or SKU of the goods in Products.',
}
