import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { salesGet } from 'kasir-client'
import { ArrowLeft, Printer } from 'lucide-react'
import { useState } from 'react'
import { useIsOnline } from '../../app/line.ts'
import { call } from '../../app/service.ts'
import { isCorrectable } from '../../selling/correct-tender.ts'
import { useSalesTexts } from '../../texts/sales/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Failure } from '../../ui/failure.tsx'
import { printReceipt } from '../../ui/print.ts'
import { CorrectDialog } from './correct-dialog.tsx'
import { DeliveryLink } from './delivery-link.tsx'
import { ReceiptLinkButton } from './receipt-link-button.tsx'
import { RefundDialog } from './refund-dialog.tsx'
import { SaleContent } from './sale-content.tsx'
import { stateOf } from './sale-state.ts'
import { VoidDialog } from './void-dialog.tsx'

/** One sale with its items, payments and refunds, and the actions that are still possible. */
export function SaleDetail({ id }: { id: string }) {
  const t = useSalesTexts()
  const [dialog, setDialog] = useState<'refund' | 'void' | 'correct' | null>(null)
  const answer = useQuery({ queryKey: ['sale', id], queryFn: () => call(salesGet, { id }) })
  const sale = answer.data?.sale
  const state = sale && stateOf(sale)
  const isOnline = useIsOnline()
  const isOpen = sale?.status === 'COMPLETED' && isOnline
  return (
    <article
      aria-label={sale?.number}
      className="flex w-full flex-col border-l bg-panel lg:w-[28rem] lg:shrink-0"
    >
      <header className="flex items-center gap-2 border-b p-2">
        <Link
          to="/penjualan"
          search={{}}
          aria-label={t('sales.toList')}
          className="inline-flex size-12 items-center justify-center rounded-xl hover:bg-line/60"
        >
          <ArrowLeft aria-hidden size={22} />
        </Link>
        <h2 className="flex-1 truncate text-lg font-semibold tabular-nums">{sale?.number}</h2>
        {state && <span className="pr-2 font-medium text-danger">{t(state)}</span>}
      </header>
      <div className="min-h-0 flex-1 overflow-y-auto p-4">
        <Failure error={answer.error} />
        {sale && <SaleContent sale={sale} />}
      </div>
      {sale && (
        <footer className="grid grid-cols-2 gap-2 border-t p-3 [&>p]:col-span-2">
          {!isOnline && <p className="text-sm text-muted">{t('sale.offline')}</p>}
          <Button className="px-2" onClick={() => printReceipt(sale.id)}>
            <Printer aria-hidden size={18} className="max-sm:hidden" />
            {t('sale.reprint')}
          </Button>
          <Button
            className="px-2"
            disabled={!isOnline || sale.status === 'VOIDED' || !sale.payments.some(isCorrectable)}
            onClick={() => setDialog('correct')}
          >
            {t('sale.correct')}
          </Button>
          <Button
            className="px-2"
            disabled={!isOpen || sale.refundStatus === 'FULL'}
            onClick={() => setDialog('refund')}
          >
            {t('sale.refund')}
          </Button>
          <Button
            className="px-2"
            disabled={!isOpen || sale.refundStatus !== 'NONE'}
            onClick={() => setDialog('void')}
          >
            {t('sale.void')}
          </Button>
          <ReceiptLinkButton sale={sale} isOnline={isOnline} />
          {sale.orderType === 'DELIVERY' && sale.status !== 'VOIDED' && <DeliveryLink saleId={sale.id} />}
        </footer>
      )}
      {sale && dialog === 'refund' && <RefundDialog sale={sale} onClose={() => setDialog(null)} />}
      {sale && dialog === 'correct' && <CorrectDialog sale={sale} onClose={() => setDialog(null)} />}
      {sale && dialog === 'void' && <VoidDialog sale={sale} onClose={() => setDialog(null)} />}
    </article>
  )
}
