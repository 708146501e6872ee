import { useQuery } from '@tanstack/react-query'
import { customersGet } from 'kasir-client'
import { NotebookPen } from 'lucide-react'
import { useId } from 'react'
import { useIsOnline } from '../../app/line.ts'
import { call } from '../../app/service.ts'
import type { CartCustomer } from '../../selling/cart.ts'
import { useCart } from '../../selling/cart-store.ts'
import { useCreditTexts } from '../../texts/credit/texts.ts'
import { useTexts } from '../../texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { Field } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { formatRupiah } from '../../ui/rupiah.ts'
import type { usePayment } from './use-payment.ts'

type CreditTenderProps = { customer: CartCustomer; payment: ReturnType<typeof usePayment> }

/**
 * The tender on credit, for a customer with a limit. The service decides. The limit shown here is from its last
 * answer.
 */
export function CreditTender({ customer, payment }: CreditTenderProps) {
  const t = useTexts()
  const c = useCreditTexts()
  const id = useId()
  const isOnline = useIsOnline()
  const taken = useCart((cart) => cart.tenders)
  const canUseService = useCart((cart) => cart.correction === null) && isOnline
  const read = useQuery({
    queryKey: ['customer', customer.id, 'credit'],
    queryFn: async () => (await call(customersGet, { id: customer.id ?? '' })).customer,
    enabled: isOnline && customer.id !== null,
  })
  const limit = read.data?.creditLimit ?? (customer.id === null ? 0 : (customer.creditLimit ?? 0))
  if (limit === 0) return null
  const used = (read.data?.creditBalance ?? 0) + onCredit(taken)
  const left = Math.max(0, limit - used)
  const isChosen = payment.method === 'CREDIT'
  const isOver = isChosen && (payment.received ?? payment.remaining) > left
  return (
    <div className="grid gap-2">
      <label
        className={classes(
          'relative flex min-h-14 items-center gap-3 rounded-xl border px-3 font-medium has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-brand',
          canUseService ? 'cursor-pointer' : 'cursor-not-allowed border-dashed text-muted',
          isChosen ? 'border-brand bg-brand text-on-brand' : 'border-control/60 bg-raised',
        )}
      >
        <input
          type="radio"
          name="tender"
          className="absolute inset-0 cursor-pointer opacity-0"
          checked={isChosen}
          disabled={!canUseService}
          aria-label={t('tender.CREDIT')}
          aria-describedby={id}
          onChange={() => payment.choose('CREDIT')}
        />
        <NotebookPen aria-hidden size={20} />
        <span className="flex-1">{t('tender.CREDIT')}</span>
        <span id={id} className="text-right text-sm leading-tight">
          {isOnline
            ? read.data && c('left', { left: formatRupiah(left), limit: formatRupiah(limit) })
            : c('offline')}
        </span>
      </label>
      {isOver && <Notice text={c('over', { left: formatRupiah(left) })} />}
      {isOver && left > 0 && (
        <Button onClick={() => payment.type(left)}>{c('take', { amount: formatRupiah(left) })}</Button>
      )}
      {isChosen && (
        <Field
          type="date"
          label={c('dueDate')}
          value={payment.dueDate}
          onChange={({ target }) => payment.setDueDate(target.value)}
        />
      )}
    </div>
  )
}

/** The part of the sale that is on credit already, before the service knows of it. */
const onCredit = (tenders: readonly { method: string; amount: number }[]): number =>
  tenders.reduce((sum, { method, amount }) => (method === 'CREDIT' ? sum + amount : sum), 0)
