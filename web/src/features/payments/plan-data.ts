import { paymentPlansGet } from 'kasir-client'
import type { PaymentsTranslate } from '../../texts/payments/texts.ts'
import { callPartner } from './partner-calls.ts'
import type { Plan } from './partner-records.ts'

export const readPlan = (id: string) => callPartner<Plan>(paymentPlansGet, { id })

export const intervalsIn = (t: PaymentsTranslate) =>
  (['month', 'year'] as const).map((value) => ({ value, text: t(`interval.${value}`) }))
