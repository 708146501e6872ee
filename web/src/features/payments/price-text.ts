import type { PaymentsTranslate } from '../../texts/payments/texts.ts'
import { formatMoney } from './looks.tsx'
import type { Price } from './partner-records.ts'

/** A price as people read it, such as Rp 50.000 per bulan. */
export const priceText = (t: PaymentsTranslate, { amount, currency, interval }: Price): string =>
  t(`price.${interval}`, { amount: formatMoney(amount, currency) })
