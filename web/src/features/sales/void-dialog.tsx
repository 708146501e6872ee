import { type Sale, salesVoid } from 'kasir-client'
import { useState } from 'react'
import { withApproval } from '../../app/approval.ts'
import { queries } from '../../app/queries.ts'
import { call } from '../../app/service.ts'
import { newKey } from '../../offline/key.ts'
import { isBackAtService, MoneyBack, tendersOfVoid } from '../../selling/money-back.tsx'
import { useSalesTexts } from '../../texts/sales/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Field } from '../../ui/field.tsx'
import { formatRupiah } from '../../ui/rupiah.ts'

const REASONS = ['void.wrongItem', 'void.wrongTender', 'void.cancelled'] as const

/** Takes a sale back as a whole. It asks, because money leaves the drawer. */
export function VoidDialog({ sale, onClose }: { sale: Sale; onClose(): void }) {
  const t = useSalesTexts()
  const [reason, setReason] = useState('')
  const [error, setError] = useState<unknown>(null)
  const [isBusy, setBusy] = useState(false)
  const [idempotencyKey] = useState(newKey)
  const back = tendersOfVoid(sale).reduce((total, { amount }) => total + amount, 0)
  const voidSale = async () => {
    setBusy(true)
    try {
      const body = { id: sale.id, reason: reason.trim() }
      await withApproval(sale.id, (approval) => call(salesVoid, body, { idempotencyKey, approval }))
      await queries.invalidateQueries()
      onClose()
    } catch (caught) {
      setError(caught)
      setBusy(false)
    }
  }
  return (
    <Dialog
      title={t('void.title', { number: sale.number })}
      onClose={onClose}
      actions={
        <Button
          look="danger"
          size="large"
          className="flex-1"
          disabled={reason.trim() === '' || isBusy}
          onClick={() => void voidSale()}
        >
          {isBackAtService(sale) ? t('sale.void') : t('void.now', { amount: formatRupiah(back) })}
        </Button>
      }
    >
      <div className="grid gap-3">
        <p className="text-muted">{t('void.text')}</p>
        {isBackAtService(sale) && <MoneyBack isVoid tenders={tendersOfVoid(sale)} />}
        <div className="flex flex-wrap gap-2">
          {REASONS.map((key) => (
            <Button key={key} aria-pressed={reason === t(key)} onClick={() => setReason(t(key))}>
              {t(key)}
            </Button>
          ))}
        </div>
        <Field
          label={t('reason')}
          value={reason}
          maxLength={300}
          onChange={({ target }) => setReason(target.value)}
        />
        <Failure error={error} />
      </div>
    </Dialog>
  )
}
