import { useQuery } from '@tanstack/react-query'
import { payoutsGetBalance, payoutsGetBankAccount } from 'kasir-client'
import { amountIn } from '../../office/partner-data.ts'
import { readPartner } from './partner-calls.ts'
import { readBankAccountRecord } from './partner-records.ts'

export const readBankAccount = () => readPartner(payoutsGetBankAccount, readBankAccountRecord)

/** What can be paid out, and the account that receives it. */
export const usePayoutState = () =>
  useQuery({
    queryKey: ['payments', 'payoutState'],
    queryFn: async () => {
      const [state, bankAccount] = await Promise.all([
        readPartner(payoutsGetBalance, (record) => ({
          balance: amountIn(record, 'balance'),
          inTransit: amountIn(record, 'inTransit'),
        })),
        readBankAccount(),
      ])
      return { ...state, bankAccount }
    },
  })
