import { useQueryClient } from '@tanstack/react-query'
import { payoutsCreate } from 'kasir-client'
import { Landmark } from 'lucide-react'
import { useRef } from 'react'
import { FormPage } from '../../office/form/form-page.tsx'
import { useForm } from '../../office/form/use-form.ts'
import { ModuleFailure } from '../../office/module-gate.tsx'
import { idIn } from '../../office/partner-data.ts'
import { RecordState } from '../../office/record-state.tsx'
import { useOfficeSearch } from '../../office/search-state.ts'
import { usePaymentsTexts } from '../../texts/payments/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { formatMoney } from './looks.tsx'
import { readPartner } from './partner-calls.ts'
import type { BankAccount } from './partner-records.ts'
import { usePayoutState } from './payout-data.ts'

/** Requests a payout once there is a bank account. */
export function PayoutForm() {
  const t = usePaymentsTexts()
  const [, setAddress] = useOfficeSearch()
  const state = usePayoutState()
  if (!state.data) return <RecordState query={state} ErrorView={ModuleFailure} />
  const { balance, bankAccount } = state.data
  if (bankAccount === null)
    return (
      <Empty as="h1" icon={Landmark} title={t('bank.none')} text={t('bank.noneText')}>
        <Button className="mt-2" look="primary" onClick={() => void setAddress({ id: 'bank' })}>
          {t('bank.enter')}
        </Button>
      </Empty>
    )
  return <AmountForm balance={balance} bankAccount={bankAccount} />
}

function AmountForm({ balance, bankAccount }: { balance: number | null; bankAccount: BankAccount }) {
  const t = usePaymentsTexts()
  const queries = useQueryClient()
  const [, setAddress] = useOfficeSearch()
  const created = useRef<string | null>(null)
  const form = useForm<{ amount: number | null }>({
    name: 'payout:new',
    initial: { amount: null },
    save: async ({ amount }, _changes, options) => {
      created.current = (await readPartner(payoutsCreate, idIn, { amount, currency: 'IDR' }, options)) || null
    },
    onSaved: () => {
      void queries.invalidateQueries({ queryKey: ['payments'] })
      void setAddress({ id: created.current }, true)
    },
  })
  const { bankName, accountNumber, accountHolder } = bankAccount
  return (
    <FormPage
      title={t('payout.new')}
      form={form}
      submitText={t('payout.request')}
      before={
        <div className="grid justify-items-start gap-3">
          <p className="wrap-anywhere">
            {t('payout.to', {
              bank: bankName,
              number: accountNumber,
              holder: accountHolder,
              balance: formatMoney(balance, 'IDR'),
            })}
          </p>
          {balance !== null && balance > 0 && (
            <Button onClick={() => form.set({ amount: balance })}>{t('payout.all')}</Button>
          )}
        </div>
      }
      fields={[{ kind: 'money', name: 'amount', label: t('amount'), isRequired: true }]}
    />
  )
}
