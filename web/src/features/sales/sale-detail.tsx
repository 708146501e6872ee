import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type Sale, salesGet } from 'kasir-client'
import { ArrowLeft, Printer } from 'lucide-react'
import { useState } from 'react'
import { useIsOnline } from '../../app/line.ts'
import { call } from '../../app/service.ts'
import { isCorrectable } from '../../selling/correct-tender.ts'
import { quantityText } from '../../selling/quantity.ts'
import { useSalesTexts } from '../../texts/sales/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Failure } from '../../ui/failure.tsx'
import { printReceipt } from '../../ui/print.ts'
import { formatAmount, formatRupiah } from '../../ui/rupiah.ts'
import { formatTime } from '../../ui/time.ts'
import { CorrectDialog } from './correct-dialog.tsx'
import { DeliveryLink } from './delivery-link.tsx'
import { ReceiptLinkButton } from './receipt-link-button.tsx'
import { RefundDialog } from './refund-dialog.tsx'
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

function SaleContent({ sale }: { sale: Sale }) {
  const t = useSalesTexts()
  return (
    <div className="grid gap-4">
      <p className="text-muted">
        {formatTime(sale.completedAt ?? sale.createdAt)}
        {sale.customer && ` · ${sale.customer.name}`}
        {sale.note && ` · ${sale.note}`}
      </p>
      <ul className="grid gap-2">
        {sale.items
          .filter(({ isActive }) => isActive)
          .map((item) => (
            <li key={item.id} className="flex gap-3">
              <span className="min-w-8 shrink-0 text-right tabular-nums">{quantityText(item)}</span>
              <span className="min-w-0 flex-1">
                <span className="break-words">{item.productName}</span>
                <span className="block text-sm break-words text-muted">
                  {[item.pack?.name, ...item.modifiers.map(({ name }) => name), item.note]
                    .filter(Boolean)
                    .join(' · ')}
                  {item.refundedQty > 0 &&
                    ` ${t('sale.refundedQty', { n: quantityText({ ...item, quantity: item.refundedQty }) })}`}
                </span>
              </span>
              <span className="amount">{formatAmount(item.lineTotal)}</span>
            </li>
          ))}
      </ul>
      <dl className="grid gap-1 border-t pt-3">
        {sale.discountTotal > 0 && <Row name={t('discount.total')} amount={-sale.discountTotal} />}
        {sale.serviceCharge !== null && <Row name={t('service')} amount={sale.serviceCharge.amount} />}
        {sale.taxTotal > 0 && <Row name={t('tax')} amount={sale.taxTotal} />}
        {sale.deliveryFee > 0 && <Row name={t('deliveryFee')} amount={sale.deliveryFee} />}
        <div className="flex justify-between text-xl font-bold">
          <dt>{t('total')}</dt>
          <dd className="amount">{formatRupiah(sale.total)}</dd>
        </div>
        {sale.roundingTotal !== 0 && <Row name={t('rounding')} amount={sale.roundingTotal} />}
        {sale.payments.map(({ id, method, amount, rounding, change, corrections }) => (
          <Row
            key={id}
            name={[
              t(`tender.${method}`),
              ...corrections.slice(-1).map(({ from }) => t('correct.was', { tender: t(`tender.${from}`) })),
            ].join(' ')}
            amount={amount + rounding + change}
          />
        ))}
        {sale.changeTotal > 0 && <Row name={t('change')} amount={-sale.changeTotal} />}
        {sale.refundedTotal > 0 && <Row name={t('sale.refundedTotal')} amount={-sale.refundedTotal} />}
      </dl>
      {sale.voidReason && <p className="rounded-xl bg-danger-soft p-3 text-danger">{sale.voidReason}</p>}
    </div>
  )
}

function Row({ name, amount }: { name: string; amount: number }) {
  return (
    <div className="flex justify-between gap-3 text-muted">
      <dt>{name}</dt>
      <dd className="amount">{formatAmount(amount)}</dd>
    </div>
  )
}
