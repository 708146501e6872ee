import type { Sale } from 'kasir-client'
import { CircleCheckBig, MessageCircle, Printer } from 'lucide-react'
import { useSession } from '../../app/session.ts'
import { useTexts } from '../../texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { printReceipt } from '../../ui/print.ts'
import { formatRupiah } from '../../ui/rupiah.ts'
import { receiptMessage, whatsAppAddress } from './receipt-message.ts'
import { useRegister } from './register-store.ts'

/** The change, large and until the next sale begins: with the next tap or scan, or with the button. */
export function DonePanel({ sale, change }: { sale: Sale; change: number }) {
  const t = useTexts()
  const show = useRegister((register) => register.show)
  const business = useSession((session) => session.account?.businessName ?? '')
  const send = () =>
    window.open(
      whatsAppAddress(sale.customer?.phone ?? null, receiptMessage(sale, business, t)),
      '_blank',
      'noopener',
    )
  return (
    <div className="flex h-full flex-col">
      <div className="flex min-h-0 flex-1 flex-col items-center justify-center gap-3 overflow-y-auto p-6 text-center">
        <CircleCheckBig aria-hidden size={56} strokeWidth={1.5} className="text-good" />
        <p role="status" className="grid gap-1">
          <span className="text-lg text-muted">{t('change')} </span>
          <span className="text-[2.5rem] leading-none font-bold tabular-nums">{formatRupiah(change)}</span>
        </p>
        <p className="text-muted">
          {t('done.sale', { number: sale.number })} ·{' '}
          <span className="tabular-nums">{formatRupiah(sale.total)}</span>
        </p>
      </div>
      <div className="grid gap-2 border-t p-3">
        <div className="grid grid-cols-2 gap-2">
          <Button onClick={() => printReceipt(sale.id)}>
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
    </div>
  )
}
