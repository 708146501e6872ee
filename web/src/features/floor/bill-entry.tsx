import type { SaleRow } from 'kasir-client'
import { ArrowRightLeft, Merge } from 'lucide-react'
import { useTexts } from '../../texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { formatRupiah } from '../../ui/rupiah.ts'
import { formatTime } from '../../ui/time.ts'

type BillEntryProps = {
  bill: SaleRow
  isBusy: boolean
  isCartFull: boolean
  onOpen(): void
  onChoose(kind: 'move' | 'merge'): void
}

/** One open bill of a table, with its actions. */
export function BillEntry({ bill, isBusy, isCartFull, onOpen, onChoose }: BillEntryProps) {
  const t = useTexts()
  return (
    <li className="grid gap-2 rounded-2xl border p-2">
      <Button
        content="spread"
        className="min-h-16 w-full text-left"
        disabled={isCartFull || isBusy}
        onClick={onOpen}
      >
        <span className="grid min-w-0">
          <span className="truncate font-semibold">{t('floor.openBill', { number: bill.number })}</span>
          <span className="truncate text-sm text-muted">
            {formatTime(bill.createdAt)} · {t('bills.goods', { n: bill.itemCount })}
            {bill.note !== null && ` · ${bill.note}`}
          </span>
        </span>
        <span className="amount font-semibold">{formatRupiah(bill.remaining)}</span>
      </Button>
      <div className="grid grid-cols-2 gap-2">
        <Button
          disabled={isBusy}
          aria-label={t('floor.moveBill', { number: bill.number })}
          onClick={() => onChoose('move')}
        >
          <ArrowRightLeft aria-hidden size={20} />
          {t('floor.move')}
        </Button>
        <Button
          disabled={isBusy}
          aria-label={t('floor.mergeBill', { number: bill.number })}
          onClick={() => onChoose('merge')}
        >
          <Merge aria-hidden size={20} />
          {t('floor.merge')}
        </Button>
      </div>
    </li>
  )
}
