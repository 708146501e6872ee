import { useNavigate } from '@tanstack/react-router'
import { Printer } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { changeRow } from '../../offline/outbox.ts'
import { type OutboxRow, soldAtOf } from '../../offline/outbox-row.ts'
import { sendNow } from '../../offline/sender.ts'
import { useCart } from '../../selling/cart-store.ts'
import { correctionOf } from '../../selling/correction.ts'
import { OwnPrint } from '../../selling/own-print.tsx'
import { useRegister } from '../../selling/register-store.ts'
import { useCounterTexts } from '../../texts/counter/texts.ts'
import { useTexts } from '../../texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { tillPapers } from '../../ui/print.ts'
import { formatRupiah } from '../../ui/rupiah.ts'
import { formatMoment } from '../../ui/time.ts'

/** Shows a refused sale in the register again. It stays in the outbox until the changed one takes its place. */
function changeSale(row: OutboxRow) {
  useCart.getState().correct(row.cart, correctionOf(row))
  useRegister.getState().show({ panel: 'cart', done: null, dialog: null, isSheetOpen: true })
}

const sendAgain = async (ref: string) => {
  await changeRow(ref, { state: 'waiting', reason: null, problem: null, dueMs: 0 })
  await sendNow()
}

/** One sale on this device, with its state in words and its actions. */
export function OutboxEntry({ row, onLeave }: { row: OutboxRow; onLeave(): void }) {
  const t = useTexts()
  const counter = useCounterTexts()
  const navigate = useNavigate()
  const isCartFree = useCart((cart) => cart.lines.length === 0)
  const [isSettingAside, setSettingAside] = useState(false)
  const [isPrinting, setPrinting] = useState(false)
  const { ref, seller, receipt, state, problem, reason } = row
  const print = () => {
    const papers = tillPapers()
    if (papers) void papers.then((file) => file.printOwnReceipt(row))
    else setPrinting(true)
  }
  return (
    <li className="grid gap-2 py-3">
      <div className="flex items-start gap-3">
        <div className="min-w-0 flex-1">
          <p className="font-semibold break-words tabular-nums">{ref}</p>
          <p className="text-sm text-muted">
            {formatMoment(soldAtOf(row))} · {seller.name}
          </p>
        </div>
        <p className="amount pt-0.5 font-semibold">{formatRupiah(receipt.total)}</p>
        <Button
          look="quiet"
          size="icon"
          className="-mt-2"
          aria-label={`${t('sale.reprint')} ${ref}`}
          onClick={print}
        >
          <Printer aria-hidden size={20} />
        </Button>
      </div>
      {state === 'absent' && (
        <p className="text-sm text-warn">{counter('outbox.absent', { name: seller.name })}</p>
      )}
      {state === 'setAside' && (
        <>
          <p className="text-sm text-muted">{counter('outbox.asideReason', { reason: reason ?? '' })}</p>
          <Button onClick={() => void sendAgain(ref)}>{counter('outbox.sendAgain')}</Button>
        </>
      )}
      {state === 'refused' && (
        <>
          <div className="rounded-xl bg-warn-soft p-3 text-warn">
            <p className="font-medium break-words">
              {problem?.code === 'IDEMPOTENCY_KEY_IN_USE' ? counter('outbox.keyUsed') : problem?.message}
            </p>
            <p className="mt-1 text-xs break-all">
              {problem?.code} · {problem?.requestId}
            </p>
          </div>
          {!isCartFree && <p className="text-sm text-muted">{counter('outbox.cartFirst')}</p>}
          <div className="grid gap-2 sm:grid-cols-2">
            <Button
              disabled={!isCartFree}
              onClick={() => {
                changeSale(row)
                void navigate({ to: '/jual' })
                onLeave()
              }}
            >
              {counter('outbox.change')}
            </Button>
            <Button onClick={() => setSettingAside(true)}>{counter('outbox.setAside')}</Button>
          </div>
        </>
      )}
      {isSettingAside && state === 'refused' && <SetAside saleRef={ref} />}
      {isPrinting && <OwnPrint row={row} onPrinted={() => setPrinting(false)} />}
    </li>
  )
}

/** A sale that is not sent is never lost: it stays on the device with the reason. */
function SetAside({ saleRef }: { saleRef: string }) {
  const t = useTexts()
  const counter = useCounterTexts()
  const [reason, setReason] = useState('')
  const set = (event: FormEvent) => {
    event.preventDefault()
    if (reason.trim() !== '') void changeRow(saleRef, { state: 'setAside', reason: reason.trim() })
  }
  return (
    <form className="grid gap-2" onSubmit={set}>
      <Field
        label={t('reason')}
        value={reason}
        maxLength={300}
        onChange={({ target }) => setReason(target.value)}
      />
      <Button look="danger" type="submit" disabled={reason.trim() === ''}>
        {counter('outbox.setAsideNow')}
      </Button>
    </form>
  )
}
