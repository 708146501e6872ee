import { useDevice } from '../../app/device.ts'
import { formatDay } from '../../office/days.ts'
import { StateMark } from '../../office/state-mark.tsx'
import { type PaymentsTranslate, usePaymentsTexts } from '../../texts/payments/texts.ts'
import { formatAmount, formatRupiah } from '../../ui/rupiah.ts'

export function formatMoney(amount: number | null, currency: string): string {
  if (amount === null) return '–'
  if (currency === 'IDR') return formatRupiah(amount)
  return `${currency === 'USD' ? 'US$' : currency} ${amount}`
}

/** Rupiah without their name, where it is near, so that columns fit on a phone. */
export const shortMoney = (amount: number | null, currency = 'IDR'): string =>
  currency === 'IDR' && amount !== null ? formatAmount(amount) : formatMoney(amount, currency)

/** A calendar day of the partner, such as Sen, 30 Nov. */
export const formatDueDay = (day: string | null): string =>
  day === null ? '–' : formatDay(useDevice.getState().language, day)

const LOOKS = {
  open: 'warn',
  pending: 'warn',
  processing: 'warn',
  past_due: 'danger',
  completed: 'good',
  paid: 'good',
  active: 'good',
  expired: 'muted',
  canceled: 'muted',
  draft: 'muted',
  void: 'muted',
  failed: 'danger',
} as const
type Status = keyof typeof LOOKS
const isStatus = (status: string): status is Status => Object.hasOwn(LOOKS, status)

/** The word for a state; another partner's own states stay as they are. */
export const statusText = (t: PaymentsTranslate, status: string): string =>
  isStatus(status) ? t(`status.${status}`) : status || '–'

export function StatusMark({ status }: { status: string }) {
  const t = usePaymentsTexts()
  return <StateMark look={isStatus(status) ? LOOKS[status] : 'muted'}>{statusText(t, status)}</StateMark>
}

const METHODS = ['qris', 'va', 'hosted'] as const
export const methodText = (t: PaymentsTranslate, method: string): string => {
  const known = METHODS.find((each) => each === method)
  return known === undefined ? method || '–' : t(`method.${known}`)
}
