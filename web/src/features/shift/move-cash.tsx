import { type ShiftDetail, shiftsMoveCash } from 'kasir-client'
import { useState } from 'react'
import { withApproval } from '../../app/approval.ts'
import { queries } from '../../app/queries.ts'
import { useRequestKey } from '../../app/request-key.ts'
import { call } from '../../app/service.ts'
import { useShop } from '../../offline/shop.ts'
import { useTexts } from '../../texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Failure } from '../../ui/failure.tsx'
import { FIELD, Field } from '../../ui/field.tsx'
import { MoneyField } from '../../ui/money-field.tsx'
import { useMovements } from './movements.ts'

const NONE: readonly string[] = []

/** Cash that is put into the drawer or taken out of it, besides sales. */
export function MoveCash({ shift }: { shift: ShiftDetail }) {
  const t = useTexts()
  const [amount, setAmount] = useState<number | null>(null)
  const [reason, setReason] = useState('')
  const [category, setCategory] = useState('')
  const categories = useShop((shop) => shop.settings?.expenseCategories) ?? NONE
  const [error, setError] = useState<unknown>(null)
  const shiftId = shift.id
  const { paidIn, paidOut } = shift.summary.cash
  const send = useRequestKey(`cash ${shiftId} ${paidIn} ${paidOut}`)
  const [done, setDone] = useState<'PAID_IN' | 'PAID_OUT' | null>(null)
  const move = async (type: 'PAID_IN' | 'PAID_OUT') => {
    setError(null)
    setDone(null)
    try {
      const body = {
        id: shiftId,
        type,
        amount: amount ?? 0,
        reason: reason.trim() === '' ? null : reason.trim(),
        ...(category !== '' && { category }),
      }
      const { cashMovement } = await send((idempotencyKey) =>
        withApproval(shiftId, (approval) => call(shiftsMoveCash, body, { idempotencyKey, approval })),
      )
      useMovements.getState().note(shiftId, {
        id: cashMovement.id,
        direction: type === 'PAID_IN' ? 'IN' : 'OUT',
        amount: cashMovement.amount,
      })
      setAmount(null)
      setReason('')
      setCategory('')
      setDone(type)
    } catch (caught) {
      setError(caught)
    }
    // The cash may have been moved although no answer came.
    await queries.invalidateQueries({ queryKey: ['shift'] })
  }
  const isEmpty = amount === null || amount === 0
  return (
    <section className="grid gap-3 rounded-2xl border bg-panel p-5" aria-labelledby="move-cash">
      <h2 id="move-cash" className="font-semibold">
        {t('shift.move')}
      </h2>
      <div className="grid gap-3 sm:grid-cols-2">
        <MoneyField label={t('amount')} value={amount} onValue={setAmount} />
        <Field
          label={t('reason')}
          value={reason}
          maxLength={300}
          onChange={({ target }) => setReason(target.value)}
        />
      </div>
      {categories.length > 0 && (
        <label className="grid gap-1.5 text-sm font-medium">
          {t('shift.expense')}
          <select
            className={`${FIELD} font-normal`}
            value={category}
            onChange={({ target }) => setCategory(target.value)}
          >
            <option value="">{t('shift.noExpense')}</option>
            {categories.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
      <Failure error={error} />
      <p role="status" className="text-good empty:hidden">
        {done && t(`shift.done.${done}`)}
      </p>
      <div className="grid grid-cols-2 gap-3">
        <Button disabled={isEmpty} onClick={() => void move('PAID_IN')}>
          {t('shift.payIn')}
        </Button>
        <Button disabled={isEmpty} onClick={() => void move('PAID_OUT')}>
          {t('shift.payOut')}
        </Button>
      </div>
    </section>
  )
}
