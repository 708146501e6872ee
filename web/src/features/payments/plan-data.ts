import { paymentPlansGet } from 'kasir-client'
import type { PaymentsTranslate } from '../../texts/payments/texts.ts'
import { readPartner } from './partner-calls.ts'
import { readPlanRecord } from './partner-records.ts'

export const readPlan = (id: string) => readPartner(paymentPlansGet, readPlanRecord, { id })

export const intervalsIn = (t: PaymentsTranslate) =>
  (['month', 'year'] as const).map((value) => ({ value, text: t(`interval.${value}`) }))
