import { clockOf, dayOf } from 'kasir/partner-tools'

/** An amount as people write it: Rp 12.500, USD 7. Amounts are whole units of their currency. */
export function money(amount: number, currency: string): string {
  const digits = String(Math.abs(amount)).replaceAll(/\B(?=(\d{3})+$)/g, currency === 'IDR' ? '.' : ',')
  return `${amount < 0 ? '-' : ''}${currency === 'IDR' ? 'Rp' : currency} ${digits}`
}

/** The partner has no outlets: times are those of Jakarta. */
export const ZONE = 'Asia/Jakarta'

/** 21/11/2026 */
export const localDay = (instant: string): string => dayOf(instant, ZONE).split('-').reverse().join('/')

/** 21/11/2026 14:05 WIB */
export const localTime = (instant: string): string => `${localDay(instant)} ${clockOf(instant, ZONE)} WIB`
