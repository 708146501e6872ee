import type { PaymentsTranslate } from '../../texts/payments/texts.ts'
import { formatMoney } from './looks.tsx'
import type { Price } from './partner-records.ts'

/** A price as people read it, such as Rp 50.000 per bulan; another partner's own intervals stay as they are. */
export const priceText = (t: PaymentsTranslate, { amount, currency, interval }: Price): string =>
  interval === 'month' || interval === 'year'
    ? t(`price.${interval}`, { amount: formatMoney(amount, currency) })
    : [formatMoney(amount, currency), interval].filter(Boolean).join(' · ')
