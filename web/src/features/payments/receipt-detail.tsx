import { paymentReceiptsEmail, paymentReceiptsGet, paymentReceiptsGetPdf } from 'kasir-client'
import { useState } from 'react'
import { useDevice } from '../../app/device.ts'
import { useRecord } from '../../office/form/use-record.ts'
import { ModuleFailure } from '../../office/module-gate.tsx'
import { momentText } from '../../office/partner-data.ts'
import { RecordState } from '../../office/record-state.tsx'
import { usePaymentsTexts } from '../../texts/payments/texts.ts'
import { Field } from '../../ui/field.tsx'
import { ActionButton } from './action-button.tsx'
import { Detail, Facts } from './detail.tsx'
import { FileButton } from './file-button.tsx'
import { formatMoney, methodText } from './looks.tsx'
import { callPartner, readPartner } from './partner-calls.ts'
import { readReceipt } from './partner-records.ts'
import { ReceiptPrint } from './receipt-print.tsx'

/** A receipt of the partner: to read, to save and to mail. */
export function ReceiptDetail({ id }: { id: string }) {
  const t = usePaymentsTexts()
  const lang = useDevice(({ language }) => language)
  const [email, setEmail] = useState('')
  const [sentTo, setSentTo] = useState<string | null>(null)
  const record = useRecord(['paymentReceipt', id], () => readPartner(paymentReceiptsGet, readReceipt, { id }))
  const receipt = record.data
  if (!receipt) return <RecordState query={record} ErrorView={ModuleFailure} />
  const { number, amount, currency, method, description, issuedAt } = receipt
  return (
    <Detail
      title={number}
      actions={
        <>
          <ReceiptPrint id={id} lang={lang} />
          <FileButton
            text={t('pdf')}
            fileName={`${number}.pdf`}
            operation={paymentReceiptsGetPdf}
            input={{ id, lang }}
          />
          <ActionButton
            route="paymentReceipts.email"
            label={t('receipt.email')}
            text={t('receipt.emailText')}
            look="primary"
            isDisabled={!email.includes('@')}
            run={(options) => callPartner(paymentReceiptsEmail, { id, email }, options)}
            onDone={() => setSentTo(email)}
          >
            <Field
              label={t('email')}
              type="email"
              autoComplete="off"
              value={email}
              onChange={({ target }) => setEmail(target.value)}
            />
          </ActionButton>
        </>
      }
    >
      {sentTo !== null && (
        <p role="status" className="rounded-xl bg-brand-soft p-3 font-medium text-brand">
          {t('receipt.emailed', { email: sentTo })}
        </p>
      )}
      <Facts
        facts={[
          [t('amount'), formatMoney(amount, currency)],
          [t('method'), methodText(t, method)],
          [t('description'), description],
          [t('receipt.issuedAt'), momentText(issuedAt)],
        ]}
      />
    </Detail>
  )
}
