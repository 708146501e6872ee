import { useMutation, useQuery } from '@tanstack/react-query'
import { type Customer, loyaltyAdjust, loyaltyGet, loyaltyRedeem } from 'kasir-client'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useRequestKey } from '../../app/request-key.ts'
import { call } from '../../app/service.ts'
import { May } from '../../office/may.tsx'
import { Panel } from '../../office/panel.tsx'
import { useOfficeTexts } from '../../texts/office/texts.ts'
import { Button } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Field } from '../../ui/field.tsx'
import { Picks } from '../../ui/picks.tsx'
import { formatAmount } from '../../ui/rupiah.ts'
import { formatMoment } from '../../ui/time.ts'

const MOST = 10

/** The points of a customer, their ledger, and their correction by hand. */
export function CustomerPoints({ customer, onChange }: { customer: Customer; onChange(): void }) {
  const t = useOfficeTexts()
  const [isOpen, setOpen] = useState(false)
  const ledger = useQuery({
    queryKey: ['loyalty', customer.id],
    queryFn: () => call(loyaltyGet, { id: customer.id, limit: MOST }),
  })
  const readAgain = () => {
    void ledger.refetch()
    onChange()
  }
  const finish = () => {
    setOpen(false)
    readAgain()
  }
  return (
    <>
      <Panel
        error={ledger.error}
        title={t('customer.pointsNow', { n: formatAmount(customer.pointsBalance) })}
        actions={
          <May route="loyalty.adjust">
            <Button look="quiet" onClick={() => setOpen(true)}>
              <Plus aria-hidden size={18} />
              {t('points.change')}
            </Button>
          </May>
        }
      >
        <ul aria-label={t('customer.points')} className="divide-y">
          {(ledger.data?.entries ?? []).map(({ id, type, points, balanceAfter, reason, createdAt }) => (
            <li key={id} className="flex items-center gap-3 px-4 py-2 text-sm">
              <span className="grid min-w-0 flex-1">
                <span className="font-medium">{t(`points.${type}`)}</span>
                <span className="break-words text-muted">
                  {[formatMoment(createdAt), reason].filter(Boolean).join(' · ')}
                </span>
              </span>
              <span className={classes('amount font-semibold', points < 0 ? 'text-danger' : 'text-good')}>
                {points > 0 ? '+' : ''}
                {formatAmount(points)}
              </span>
              <span className="amount w-16 text-muted">{formatAmount(balanceAfter)}</span>
            </li>
          ))}
          {ledger.data?.entries.length === 0 && (
            <li className="px-4 py-3 text-sm text-muted">{t('points.none')}</li>
          )}
        </ul>
      </Panel>
      {/* Outside, because an error takes the place of what the panel shows. */}
      {isOpen && (
        <PointsDialog
          customerId={customer.id}
          newestId={ledger.data?.entries[0]?.id ?? null}
          onClose={() => setOpen(false)}
          onDone={finish}
          onError={readAgain}
        />
      )}
    </>
  )
}

type Kind = 'add' | 'take' | 'redeem'

type PointsDialogProps = {
  customerId: string
  /** The newest entry of the ledger; null if there is none. */
  newestId: string | null
  onClose(): void
  onDone(): void
  /** Reads the points again: they may have changed although no answer came. */
  onError(): void
}

function PointsDialog({ customerId, newestId, onClose, onDone, onError }: PointsDialogProps) {
  const t = useOfficeTexts()
  const [kind, setKind] = useState<Kind>('add')
  const [points, setPoints] = useState('')
  const [reason, setReason] = useState('')
  const send = useRequestKey(`points ${customerId} ${newestId}`)
  const change = useMutation({
    mutationFn: () =>
      send((idempotencyKey): Promise<unknown> => {
        const count = Number(points)
        const body = { id: customerId, reason: reason || null }
        return kind === 'redeem'
          ? call(loyaltyRedeem, { ...body, points: count }, { idempotencyKey })
          : call(loyaltyAdjust, { ...body, points: kind === 'add' ? count : -count }, { idempotencyKey })
      }),
    onSuccess: onDone,
    onError,
  })
  return (
    <Dialog
      title={t('points.change')}
      onClose={onClose}
      actions={
        <Button
          look="primary"
          className="flex-1"
          disabled={change.isPending || !/^[1-9]\d*$/.test(points)}
          onClick={() => change.mutate()}
        >
          {t('form.save')}
        </Button>
      }
    >
      <div className="grid gap-4">
        <Picks<Kind>
          label={t('stock.direction')}
          options={(['add', 'take', 'redeem'] as const).map((value) => ({
            value,
            text: t(`points.${value}`),
          }))}
          value={kind}
          onValue={setKind}
        />
        <Field
          label={t('customer.points')}
          inputMode="numeric"
          value={points}
          onChange={({ target }) => setPoints(target.value.replaceAll(/\D/g, ''))}
        />
        <Field
          label={t('reason')}
          maxLength={200}
          value={reason}
          onChange={({ target }) => setReason(target.value)}
        />
        <Failure error={change.error} />
      </div>
    </Dialog>
  )
}
