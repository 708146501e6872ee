import { type ShiftDetail, shiftsClose, shiftsGet } from 'kasir-client'
import { type FormEvent, useState } from 'react'
import { hasEarlierRequestSucceeded } from '../../app/outcome.ts'
import { queries } from '../../app/queries.ts'
import { useRequestKey } from '../../app/request-key.ts'
import { call } from '../../app/service.ts'
import { useCounterTexts } from '../../texts/counter/texts.ts'
import { useTexts } from '../../texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Field } from '../../ui/field.tsx'
import { MoneyField } from '../../ui/money-field.tsx'
import { formatRupiah } from '../../ui/rupiah.ts'
import { countedCash, DENOMINATIONS, needsNote } from './count.ts'
import { useCountDraft } from './count-draft.ts'
import { Difference } from './difference.tsx'
import { FindDifference } from './find-difference.tsx'
import { UnsentSales, useUnsentSales } from './unsent-sales.tsx'

type CloseShiftProps = {
  shift: ShiftDetail
  /** `error` is set if an earlier request closed the shift, possibly with another count. */
  onClosed(shift: ShiftDetail, error?: unknown): void
  onBack(): void
}

/** Closes the shift on one page: the cash is counted by notes and coins or as a sum, compared, and stored. */
export function CloseShift({ shift, onClosed, onBack }: CloseShiftProps) {
  const t = useTexts()
  const counter = useCounterTexts()
  const unsent = useUnsentSales(shift)
  // The cashier has seen so many unsent sales, and presses again.
  const [seen, setSeen] = useState(0)
  const mustWarn = unsent.count > seen
  const { count, typed, notes, change, setTyped, drop } = useCountDraft(shift.id)
  const [error, setError] = useState<unknown>(null)
  const [isBusy, setBusy] = useState(false)
  const send = useRequestKey(`close ${shift.id}`)
  const isCounted = typed !== null || Object.values(count).some((number) => (number ?? 0) > 0)
  const counted = typed ?? countedCash(count)
  const { expected } = shift.summary.cash
  const isNoteMissing = isCounted && needsNote(counted - expected, expected) && notes.trim() === ''
  const show = (closed: ShiftDetail, caught?: unknown) => {
    drop()
    onClosed(closed, caught)
    return queries.invalidateQueries({ queryKey: ['shift'] })
  }
  const close = async (event: FormEvent) => {
    event.preventDefault()
    if (!isCounted || isNoteMissing) return
    if (mustWarn) return setSeen(unsent.count)
    setBusy(true)
    setError(null)
    try {
      const body = { id: shift.id, countedCash: counted, notes: notes.trim() === '' ? null : notes.trim() }
      const answer = await send((idempotencyKey) => call(shiftsClose, body, { idempotencyKey }))
      await show({ ...shift, ...answer.shift })
    } catch (caught) {
      const closed = hasEarlierRequestSucceeded(caught)
        ? await call(shiftsGet, { id: shift.id }).catch(() => null)
        : null
      if (closed !== null) return show(closed.shift, caught)
      setError(caught)
      setBusy(false)
    }
  }
  const cancel = () => {
    drop()
    onBack()
  }
  const setNumber = (value: number, text: string) => {
    const number = Number(text.replaceAll(/\D/g, '').slice(0, 5))
    change({ typed: null, count: { ...count, [value]: number } })
  }
  return (
    <div className="grid gap-4">
      <UnsentSales {...unsent} />
      <form className="grid gap-5 rounded-2xl border bg-panel p-5" onSubmit={(event) => void close(event)}>
        <fieldset>
          <legend className="mb-3 font-semibold">{t('shift.count')}</legend>
          <div className="grid grid-cols-1 gap-x-6 gap-y-2 sm:grid-cols-2">
            {DENOMINATIONS.map((value) => (
              <label key={value} className="flex items-center gap-2 sm:gap-3">
                <span className="amount w-24 shrink-0">{formatRupiah(value)}</span>
                <span aria-hidden className="text-muted">
                  ×
                </span>
                <input
                  inputMode="numeric"
                  autoComplete="off"
                  placeholder="0"
                  value={count[value] || ''}
                  onChange={({ target }) => setNumber(value, target.value)}
                  className="amount min-h-12 w-18 shrink-0 rounded-xl border border-control bg-raised px-3 sm:w-24"
                />
                <span aria-hidden className="amount flex-1 text-muted">
                  {(count[value] ?? 0) > 0 && formatRupiah(countedCash({ [value]: count[value] ?? 0 }))}
                </span>
              </label>
            ))}
          </div>
        </fieldset>
        <MoneyField
          label={t('shift.counted')}
          value={isCounted ? counted : null}
          onValue={setTyped}
          isLarge
        />
        {isCounted && <Difference expected={expected} counted={counted} />}
        {isCounted && counted !== expected && (
          <FindDifference shift={shift} counted={counted} onRecount={setTyped} />
        )}
        <Field
          label={t(isNoteMissing ? 'shift.noteNeeded' : 'shift.note')}
          value={notes}
          maxLength={500}
          onChange={({ target }) => change({ notes: target.value })}
        />
        <Failure error={error} />
        <div className="grid grid-cols-3 gap-3">
          <Button size="large" onClick={cancel}>
            {t('shift.back')}
          </Button>
          <Button
            look="primary"
            size="large"
            type="submit"
            className="col-span-2"
            disabled={isBusy || !isCounted || isNoteMissing}
          >
            {unsent.count > 0 && !mustWarn ? counter('shift.closeAnyway') : t('shift.close')}
          </Button>
        </div>
      </form>
    </div>
  )
}
