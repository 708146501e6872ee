import { useRecord } from '../../office/form/use-record.ts'
import { ModuleFailure } from '../../office/module-gate.tsx'
import { RecordState } from '../../office/record-state.tsx'
import { BankForm } from './bank-form.tsx'
import { readBankAccount } from './payout-data.ts'
import { PayoutDetail } from './payout-detail.tsx'
import { PayoutForm } from './payout-form.tsx'

export function PayoutEditor({ id }: { id: string }) {
  if (id === 'bank') return <BankEditor />
  return id === 'new' ? <PayoutForm /> : <PayoutDetail id={id} />
}

function BankEditor() {
  const record = useRecord(['payoutBank'], async () => ({ account: await readBankAccount() }))
  return record.data ? (
    <BankForm account={record.data.account} />
  ) : (
    <RecordState query={record} ErrorView={ModuleFailure} />
  )
}
