import { useQuery } from '@tanstack/react-query'
import type { FloorTable, SaleRow } from 'kasir-client'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { readOpenBills } from '../../selling/open-bills.ts'
import { useTexts } from '../../texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Notice } from '../../ui/notice.tsx'
import { formatRupiah } from '../../ui/rupiah.ts'
import { BillEntry } from './bill-entry.tsx'
import { mergeBill, moveBill } from './bills.ts'
import type { TableState } from './floor-data.ts'
import { TargetList } from './target-list.tsx'

export type FloorNews = { text: string; undo: (() => Promise<unknown>) | null }

type TableDialogProps = {
  table: FloorTable
  states: readonly TableState[]
  /** The cart holds goods: a bill cannot be taken into it. */
  isCartFull: boolean
  onClose(): void
  onNewBill(): void
  onOpenBill(id: string): Promise<void>
  onDone(news: FloorNews): void
}

type Choice = { kind: 'move' | 'merge'; bill: SaleRow }

/** The bills of one table: open one, move it to another table, or merge it into another bill. */
export function TableDialog(props: TableDialogProps) {
  const { table, states, isCartFull, onClose, onNewBill, onOpenBill, onDone } = props
  const t = useTexts()
  const [choice, setChoice] = useState<Choice | null>(null)
  const [error, setError] = useState<unknown>(null)
  const [isBusy, setBusy] = useState(false)
  const bills = useQuery({
    queryKey: ['bills', table.outletId, 'byTable'],
    queryFn: async () => (await readOpenBills(table.outletId)).toReversed(),
  })
  const labelOf = (tableId: string | null) =>
    states.find((state) => state.table.id === tableId)?.table.label ?? null
  const run = async (work: () => Promise<void>) => {
    setBusy(true)
    setError(null)
    await work().catch(setError)
    setBusy(false)
  }
  const move = (bill: SaleRow, to: string) =>
    run(async () => {
      await moveBill(bill.id, to)
      const text = t('floor.moved', { number: bill.number, label: labelOf(to) ?? '' })
      onDone({ text, undo: () => moveBill(bill.id, table.id) })
    })
  const merge = (bill: SaleRow, into: SaleRow) =>
    run(async () => {
      await mergeBill(bill.id, into.id)
      onDone({ text: t('floor.merged', { number: bill.number, into: into.number }), undo: null })
    })
  const all = bills.data ?? []
  const here = all.filter(({ tableId }) => tableId === table.id)
  if (choice !== null) {
    const { bill } = choice
    const targets =
      choice.kind === 'move'
        ? states
            .filter((state) => state.table.id !== table.id)
            .map(({ table: { id, label, occupied } }) => ({
              id,
              name: label,
              detail: t(occupied ? 'floor.used' : 'floor.free'),
              onChoose: () => void move(bill, id),
            }))
        : all
            .filter(({ id }) => id !== bill.id)
            .map((other) => ({
              id: other.id,
              name: labelOf(other.tableId) ?? other.note ?? t('floor.atCounter'),
              detail: `${other.number} · ${formatRupiah(other.remaining)}`,
              onChoose: () => void merge(bill, other),
            }))
    const [title, empty] =
      choice.kind === 'move'
        ? (['floor.moveTitle', 'floor.noTables'] as const)
        : (['floor.mergeTitle', 'floor.noBills'] as const)
    return (
      <Dialog title={t(title, { number: bill.number })} onClose={onClose}>
        <TargetList targets={targets} empty={t(empty)} isBusy={isBusy} error={error} />
      </Dialog>
    )
  }
  return (
    <Dialog
      title={t('floor.title', { label: table.label })}
      onClose={onClose}
      actions={
        <Button size="large" className="flex-1" disabled={isCartFull} onClick={onNewBill}>
          <Plus aria-hidden size={20} />
          {t('floor.newBill')}
        </Button>
      }
    >
      <div className="grid gap-3">
        {isCartFull && <Notice text={t('bills.cartFirst')} />}
        <Failure error={error ?? bills.error} />
        {bills.isPending && <p role="status">{t('loading')}</p>}
        {bills.isSuccess && here.length === 0 && <p className="text-muted">{t('floor.noBillHere')}</p>}
        <ul aria-label={t('bills.title')} className="grid gap-3 empty:hidden">
          {here.map((bill) => (
            <BillEntry
              key={bill.id}
              bill={bill}
              isBusy={isBusy}
              isCartFull={isCartFull}
              onOpen={() => void run(() => onOpenBill(bill.id))}
              onChoose={(kind) => setChoice({ kind, bill })}
            />
          ))}
        </ul>
      </div>
    </Dialog>
  )
}
