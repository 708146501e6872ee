import { Clock, ConciergeBell } from 'lucide-react'
import { useTexts } from '../../texts/texts.ts'
import { classes } from '../../ui/classes.ts'
import { useMinutesSince } from '../../ui/minutes.ts'
import { formatRupiah } from '../../ui/rupiah.ts'
import type { TableState } from './floor-data.ts'

/** A table as a button: its label, whether it is free, and what its bill holds. */
export function TableButton({
  state: { table, ready },
  onOpen,
  className,
}: {
  state: TableState
  onOpen(): void
  className?: string
}) {
  const t = useTexts()
  const { openBill, openBillCount } = table
  return (
    <button
      type="button"
      onClick={onOpen}
      className={classes(
        'flex flex-col overflow-hidden border p-2.5 text-left leading-tight',
        openBill === null
          ? 'border-control/60 bg-panel hover:border-control'
          : 'border-brand bg-brand-soft hover:opacity-95',
        className,
      )}
    >
      <span className="w-full">
        <span className="text-lg font-bold break-words">{table.label}</span>{' '}
        <span className={classes('text-sm', openBill === null ? 'text-muted' : 'font-medium text-brand')}>
          {t(openBill === null ? 'floor.free' : 'floor.used')}
        </span>
      </span>{' '}
      {openBill !== null && (
        <>
          <Waiting since={openBill.openedAt} />{' '}
          <span className="mt-0.5 font-semibold whitespace-nowrap tabular-nums">
            {openBillCount > 1 ? t('floor.bills', { n: openBillCount }) : formatRupiah(openBill.remaining)}
          </span>{' '}
        </>
      )}
      {ready > 0 && (
        <span className="mt-1 inline-flex items-center gap-1 self-start rounded-md border border-good/60 bg-panel px-1.5 py-0.5 text-sm font-semibold text-good">
          <ConciergeBell aria-hidden size={16} />
          {t('floor.ready', { n: ready })}
        </span>
      )}
    </button>
  )
}

function Waiting({ since }: { since: string }) {
  const t = useTexts()
  const minutes = useMinutesSince(since)
  return (
    <span className="mt-0.5 inline-flex items-center gap-1 text-sm tabular-nums">
      <Clock aria-hidden size={14} />
      {t('minutes', { n: minutes })}
    </span>
  )
}
