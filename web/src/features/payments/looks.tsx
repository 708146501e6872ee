import { useDevice } from '../../app/device.ts'
import { formatDay } from '../../office/days.ts'
import { StateMark } from '../../office/state-mark.tsx'
import { type PaymentsTranslate, usePaymentsTexts } from '../../texts/payments/texts.ts'
import { formatRupiah } from '../../ui/rupiah.ts'
import type { Currency } from './partner-records.ts'

export const formatMoney = (amount: number, currency: Currency): string =>
  currency === 'IDR' ? formatRupiah(amount) : `US$ ${amount}`

/** A calendar day of the partner, such as Sen, 30 Nov. */
export const formatDueDay = (day: string): string => formatDay(useDevice.getState().language, day)

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
const isStatus = (status: string): status is Status => status in LOOKS

/** The word for a state; another partner's own states stay as they are. */
export const statusText = (t: PaymentsTranslate, status: string): string =>
  isStatus(status) ? t(`status.${status}`) : status

export function StatusMark({ status }: { status: string }) {
  const t = usePaymentsTexts()
  return <StateMark look={isStatus(status) ? LOOKS[status] : 'muted'}>{statusText(t, status)}</StateMark>
}

const METHODS = ['qris', 'va', 'hosted'] as const
export const methodText = (t: PaymentsTranslate, method: string): string => {
  const known = METHODS.find((each) => each === method)
  return known === undefined ? method : t(`method.${known}`)
}
