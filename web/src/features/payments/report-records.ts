import { amountIn, dayFieldIn, type PartnerRecord, recordsIn, textIn } from '../../office/partner-data.ts'

export type CashFlow = ReturnType<typeof readCashFlow>
export const readCashFlow = (record: PartnerRecord) => ({
  ...flowIn(record),
  opening: amountIn(record, 'opening'),
  closing: amountIn(record, 'closing'),
  days: recordsIn(record, 'days').flatMap((entry) => {
    const day = dayFieldIn(entry, 'day')
    return day === null ? [] : [{ day, ...flowIn(entry), net: amountIn(entry, 'net') }]
  }),
})
const flowIn = (record: PartnerRecord) => ({
  payments: amountIn(record, 'payments'),
  fees: amountIn(record, 'fees'),
  payouts: amountIn(record, 'payouts'),
  returned: amountIn(record, 'returned'),
})

export type ProfitAndLoss = ReturnType<typeof readProfitAndLoss>
export const readProfitAndLoss = (record: PartnerRecord) => ({
  ...incomeIn(record),
  byMethod: recordsIn(record, 'byMethod').map((entry) => ({
    method: textIn(entry, 'method') || '–',
    ...incomeIn(entry),
  })),
})
const incomeIn = (record: PartnerRecord) => ({
  payments: amountIn(record, 'payments'),
  gross: amountIn(record, 'gross'),
  fees: amountIn(record, 'fees'),
  net: amountIn(record, 'net'),
})
