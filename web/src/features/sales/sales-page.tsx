import { Link, useSearch } from '@tanstack/react-router'
import type { SaleRow } from 'kasir-client'
import { ReceiptText, SearchX } from 'lucide-react'
import { useState } from 'react'
import { useOutbox } from '../../offline/outbox.ts'
import { isUnsent, type OutboxRow, soldAtOf } from '../../offline/outbox-row.ts'
import { useOutlet } from '../../offline/shop.ts'
import { isApplied, isUnapplied } from '../../selling/payment-state.ts'
import { useSalesTexts } from '../../texts/sales/texts.ts'
import { Button } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { Empty } from '../../ui/empty.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Field } from '../../ui/field.tsx'
import { formatRupiah } from '../../ui/rupiah.ts'
import { formatMoment, formatTime } from '../../ui/time.ts'
import { SaleDetail } from './sale-detail.tsx'
import { stateOf } from './sale-state.ts'
import { useSales } from './use-sales.ts'

/** The sales of today at this outlet, newest first, and one of them beside the list. A search finds any day by its number. */
export function SalesPage() {
  const t = useSalesTexts()
  const outlet = useOutlet()
  const { sale: saleId } = useSearch({ from: '/inside/penjualan' })
  const [text, setText] = useState('')
  const sales = useSales(outlet, text.trim())
  const unsent = useOutbox((outbox) => outbox.rows)
    .filter((row) => isUnsent(row) && row.body.outletId === outlet?.id)
    .toReversed()
  const isEmpty = sales.isLoaded && sales.rows.length + unsent.length === 0
  return (
    <div className="flex h-full">
      <h1 className="sr-only">{t('sales')}</h1>
      <section
        className={classes('min-w-0 flex-1 flex-col', saleId === undefined ? 'flex' : 'hidden lg:flex')}
      >
        <div className="grid gap-3 p-4 sm:p-6 sm:pb-3">
          <p aria-hidden className="text-2xl font-bold">
            {t('sales')}
          </p>
          <Field
            label={t('sales.find')}
            type="search"
            value={text}
            autoComplete="off"
            autoCapitalize="characters"
            onChange={({ target }) => setText(target.value)}
          />
          <Failure error={sales.error} />
        </div>
        <div className="min-h-0 flex-1 overflow-y-auto px-2 pb-6 sm:px-4">
          <ul aria-label={t('sales')} className="divide-y">
            {unsent.map((row) => (
              <UnsentEntry key={row.ref} row={row} />
            ))}
            {sales.rows.map((row) => (
              <SaleEntry key={row.id} row={row} since={sales.since} isOpen={row.id === saleId} />
            ))}
          </ul>
          {sales.hasMore && (
            <Button className="mx-auto mt-3" disabled={sales.isBusy} onClick={sales.showMore}>
              {t('sales.more')}
            </Button>
          )}
          {isEmpty &&
            (text.trim() === '' ? (
              <Empty icon={ReceiptText} title={t('sales.empty')} text={t('sales.emptyHint')} />
            ) : (
              <Empty icon={SearchX} title={t('sales.notFound')} text={t('sales.notFoundHint')} />
            ))}
        </div>
      </section>
      {saleId !== undefined && <SaleDetail key={saleId} id={saleId} />}
    </div>
  )
}

/** A sale that waits on this device; the header shows the reason. */
function UnsentEntry({ row }: { row: OutboxRow }) {
  const t = useSalesTexts()
  return (
    <li className="flex min-h-16 items-center gap-3 px-3 py-2">
      <span className="grid min-w-0 flex-1">
        <span className="truncate font-semibold tabular-nums">{row.ref}</span>
        <span className="truncate text-sm text-muted">
          {formatTime(soldAtOf(row))} · {t('bills.goods', { n: row.cart.lines.length })}
        </span>
      </span>
      <span className="grid justify-items-end">
        <span className="amount font-semibold">{formatRupiah(row.receipt.total)}</span>
        <span className="text-sm font-medium text-warn">{t('sales.unsent')}</span>
      </span>
    </li>
  )
}

function SaleEntry({ row, since, isOpen }: { row: SaleRow; since: string; isOpen: boolean }) {
  const t = useSalesTexts()
  const at = row.completedAt ?? row.createdAt
  const state = stateOf(row)
  const tenders = [...new Set(row.payments.filter(isApplied).map(({ method }) => t(`tender.${method}`)))]
  return (
    <li>
      <Link
        to="/penjualan"
        search={{ sale: row.id }}
        aria-current={isOpen ? 'true' : undefined}
        className="flex min-h-16 items-center gap-3 rounded-xl px-3 py-2 hover:bg-line/50 aria-[current=true]:bg-brand-soft"
      >
        <span className="grid min-w-0 flex-1">
          <span className="truncate font-semibold tabular-nums">{row.number}</span>
          <span className="truncate text-sm text-muted">
            {[
              at < since ? formatMoment(at) : formatTime(at),
              t('bills.goods', { n: row.itemCount }),
              tenders.join(', '),
            ]
              .filter(Boolean)
              .join(' · ')}
          </span>
        </span>
        <span className="grid justify-items-end">
          <span className={classes('amount font-semibold', row.status === 'VOIDED' && 'line-through')}>
            {formatRupiah(row.total)}
          </span>
          {state && <span className="text-sm font-medium text-danger">{t(state)}</span>}
          {row.payments.some(isUnapplied) && (
            <span className="text-sm font-medium text-warn">{t('sale.unapplied')}</span>
          )}
        </span>
      </Link>
    </li>
  )
}
