import { CircleCheckBig, CloudUpload, MessageCircle, Printer } from 'lucide-react'
import { useState } from 'react'
import { useSession } from '../../app/session.ts'
import { useOutbox } from '../../offline/outbox.ts'
import { type Done, useRegister } from '../../selling/register-store.ts'
import { whatsAppAddress } from '../../selling/whatsapp.ts'
import { useTexts } from '../../texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { printReceipt, tillPapers } from '../../ui/print.ts'
import { formatRupiah } from '../../ui/rupiah.ts'
import { messageOfRow, messageOfSale } from './receipt-message.ts'

const load = () => import('../../selling/own-print.tsx')
const OwnPrint = lazyPart(() => load().then((file) => file.OwnPrint))
const OtherTotal = lazyPart(() => import('./other-total.tsx').then((file) => file.OtherTotal))

/** Shows the change in large figures until the next sale begins, by a tap, a scan or the button. */
export function DonePanel({ done }: { done: Done }) {
  const t = useTexts()
  const show = useRegister((register) => register.show)
  const business = useSession((session) => session.account?.businessName ?? '')
  const lastSent = useOutbox((outbox) => outbox.lastSent)
  const [isPrinting, setPrinting] = useState(false)
  const { row, change } = done
  // The number comes with the answer, which may be later than the receipt.
  const sale = done.sale ?? (row !== null && lastSent?.ref === row.ref ? lastSent.sale : null)
  const print = () => {
    if (sale !== null) return printReceipt(sale.id)
    const papers = row && tillPapers()
    if (papers) void papers.then((file) => file.printOwnReceipt(row))
    else setPrinting(true)
  }
  const send = () => {
    const text = sale === null ? row && messageOfRow(row, business, t) : messageOfSale(sale, business, t)
    const phone = (sale ?? row?.cart)?.customer?.phone ?? null
    window.open(whatsAppAddress(phone, text ?? ''), '_blank', 'noopener')
  }
  return (
    <div className="flex h-full flex-col">
      <div className="flex min-h-0 flex-1 flex-col items-center justify-center gap-3 overflow-y-auto p-6 text-center">
        <CircleCheckBig aria-hidden size={56} strokeWidth={1.5} className="text-good" />
        <p role="status" className="grid gap-1">
          <span className="text-lg text-muted">{t('change')} </span>
          <span className="text-[2.5rem] leading-none font-bold tabular-nums">{formatRupiah(change)}</span>
        </p>
        <p className="text-muted">
          {t('done.sale', { number: sale?.number ?? row?.ref ?? '' })} ·{' '}
          <span className="tabular-nums">{formatRupiah(sale?.total ?? row?.receipt.total ?? 0)}</span>
        </p>
        {sale !== null && done.isOtherTotal && <OtherTotal sale={sale} />}
        {sale === null && (
          <p className="flex items-center gap-2 text-left text-balance text-warn">
            <CloudUpload aria-hidden size={18} className="shrink-0" />
            {t('done.unsent')}
          </p>
        )}
      </div>
      <div className="grid gap-2 border-t p-3">
        <div className="grid grid-cols-2 gap-2">
          <Button onClick={print}>
            <Printer aria-hidden size={20} />
            {t('done.print')}
          </Button>
          <Button onClick={send}>
            <MessageCircle aria-hidden size={20} />
            {t('done.whatsapp')}
          </Button>
        </div>
        <Button look="primary" size="large" onClick={() => show({ done: null, isSheetOpen: false })}>
          {t('done.next')}
        </Button>
      </div>
      {isPrinting && row !== null && (
        <>
          <OwnPrint row={row} onPrinted={() => setPrinting(false)} />
        </>
      )}
    </div>
  )
}
