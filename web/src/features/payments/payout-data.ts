import { useQuery } from '@tanstack/react-query'
import { payoutsGetBalance, payoutsGetBankAccount } from 'kasir-client'
import { callPartner } from './partner-calls.ts'
import type { BankAccount } from './partner-records.ts'

export const readBankAccount = async () =>
  (await callPartner<{ bankAccount: BankAccount | null }>(payoutsGetBankAccount)).bankAccount

/** What can be paid out, and the account that receives it. */
export const usePayoutState = () =>
  useQuery({
    queryKey: ['payments', 'payoutState'],
    queryFn: async () => {
      const [{ balance, inTransit }, bankAccount] = await Promise.all([
        callPartner<{ balance: number; inTransit?: number }>(payoutsGetBalance),
        readBankAccount(),
      ])
      return { balance, inTransit: inTransit ?? 0, bankAccount }
    },
  })
