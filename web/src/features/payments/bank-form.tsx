import { useQueryClient } from '@tanstack/react-query'
import { payoutsSetBankAccount } from 'kasir-client'
import { FormPage } from '../../office/form/form-page.tsx'
import { useForm } from '../../office/form/use-form.ts'
import { useOfficeSearch } from '../../office/search-state.ts'
import { usePaymentsTexts } from '../../texts/payments/texts.ts'
import { callPartner } from './partner-calls.ts'
import type { BankAccount } from './partner-records.ts'
import { readBankAccount } from './payout-data.ts'

const toForm = (account: BankAccount | null): BankAccount => ({
  bankName: account?.bankName ?? '',
  accountNumber: account?.accountNumber ?? '',
  accountHolder: account?.accountHolder ?? '',
})

/** The bank account that receives payouts. Payouts under way keep the account that they were requested for. */
export function BankForm({ account }: { account: BankAccount | null }) {
  const t = usePaymentsTexts()
  const queries = useQueryClient()
  const [, setAddress] = useOfficeSearch()
  const form = useForm<BankAccount>({
    name: 'payoutBank',
    initial: toForm(account),
    save: (values, _changes, options) => callPartner(payoutsSetBankAccount, values, options),
    readAgain: async () => toForm(await readBankAccount()),
    onSaved: () => {
      void queries.invalidateQueries({ queryKey: ['payments'] })
      void setAddress({ id: null })
    },
  })
  return (
    <FormPage
      title={t('bank')}
      form={form}
      before={<p className="text-muted">{t('bank.text')}</p>}
      fields={[
        { kind: 'text', name: 'bankName', label: t('bank.name'), isRequired: true, maxLength: 80 },
        {
          kind: 'text',
          name: 'accountNumber',
          label: t('bank.number'),
          hint: t('bank.numberHint'),
          isRequired: true,
          maxLength: 40,
        },
        { kind: 'text', name: 'accountHolder', label: t('bank.holder'), isRequired: true, maxLength: 120 },
      ]}
    />
  )
}
