import { useQuery } from '@tanstack/react-query'
import { shiftsList, shiftsOpen } from 'kasir-client'
import { type FormEvent, useState } from 'react'
import { queries } from '../../app/queries.ts'
import { call } from '../../app/service.ts'
import { newKey } from '../../offline/key.ts'
import { useTexts } from '../../texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Keypad } from '../../ui/keypad.tsx'
import { MoneyField } from '../../ui/money-field.tsx'
import { formatRupiah } from '../../ui/rupiah.ts'

/** Opens the shift with the cash in the drawer; one tap fills in the cash that the last shift left. */
export function OpenShift({ outletId }: { outletId: string }) {
  const t = useTexts()
  const [amount, setAmount] = useState<number | null>(null)
  const [error, setError] = useState<unknown>(null)
  const [isBusy, setBusy] = useState(false)
  const [idempotencyKey] = useState(newKey)
  const last = useQuery({
    queryKey: ['shift', outletId, 'last'],
    queryFn: async () => (await call(shiftsList, { outletId, status: 'CLOSED', limit: 1 }))[0] ?? null,
  })
  const suggestion = last.data?.countedCash ?? null
  const open = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    setError(null)
    try {
      await call(shiftsOpen, { outletId, openingFloat: amount ?? 0 }, { idempotencyKey })
      await queries.invalidateQueries({ queryKey: ['shift'] })
    } catch (caught) {
      setError(caught)
      setBusy(false)
    }
  }
  return (
    <form
      className="grid max-w-md gap-4 rounded-2xl border bg-panel p-5"
      onSubmit={(event) => void open(event)}
    >
      <p className="text-muted">{t('shift.openText')}</p>
      <MoneyField label={t('shift.float')} value={amount} onValue={setAmount} isLarge />
      {suggestion !== null && suggestion > 0 && (
        <Button onClick={() => setAmount(suggestion)}>
          {t('shift.lastCount')} <span className="tabular-nums">{formatRupiah(suggestion)}</span>
        </Button>
      )}
      <Keypad value={amount} onValue={setAmount} />
      <Failure error={error} />
      <Button look="primary" size="large" type="submit" disabled={isBusy}>
        {t('shift.open')}
      </Button>
    </form>
  )
}
