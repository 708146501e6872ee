import { CircleCheck, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { useOfficeTexts } from '../texts/office/texts.ts'
import { Button } from '../ui/button.tsx'
import { FIELD } from '../ui/field.tsx'
import type { SoldBy } from './goods-amounts.ts'
import { type PickedVariant, VariantPicker } from './variant-picker.tsx'

export type GoodsRow = { variantId: string; name: string; soldBy: SoldBy; qty: number }

type GoodsRowsProps<Row extends GoodsRow> = {
  rows: readonly Row[]
  onRows(rows: readonly Row[]): void
  /** Makes the row of goods that were just picked. */
  rowFrom?(row: GoodsRow): Row
  /** The row is finished and stays as it is. */
  isDone?(row: Row): boolean
  /** More fields of a row. */
  more?(row: Row, set: (change: Partial<Row>) => void): ReactNode
}

/** A list of goods with quantities. A second scan of the same goods adds one. */
export function GoodsRows<Row extends GoodsRow>(props: GoodsRowsProps<Row>) {
  const { rows, onRows, rowFrom = (row) => row as Row, isDone = () => false, more } = props
  const t = useOfficeTexts()
  const setRow = (id: string, change: Partial<Row>) =>
    onRows(rows.map((row) => (row.variantId === id ? { ...row, ...change } : row)))
  const add = ({ variantId, name, soldBy }: PickedVariant) => {
    const row = rows.find((each) => each.variantId === variantId)
    if (row === undefined) onRows([...rows, rowFrom({ variantId, name, soldBy, qty: 1 })])
    else setRow(variantId, { qty: row.qty + 1 } as Partial<Row>)
  }
  return (
    <section aria-label={t('goods.list')} className="grid gap-3">
      <h2 className="text-lg font-semibold">{t('goods.list')}</h2>
      <ul className="grid gap-2">
        {rows.map((row) => (
          <li key={row.variantId} className="flex flex-wrap items-end gap-2 rounded-xl border bg-panel p-3">
            <span className="min-w-40 flex-1 self-center font-medium break-words">{row.name}</span>
            <label className="grid w-24 gap-1 text-xs font-medium">
              {t(row.soldBy === 'WEIGHT' ? 'goods.grams' : 'goods.qty')}
              <input
                type="number"
                min={1}
                required
                disabled={isDone(row)}
                className={`${FIELD} amount px-3! font-normal`}
                value={row.qty}
                onChange={({ target }) =>
                  setRow(row.variantId, { qty: Number(target.value) } as Partial<Row>)
                }
              />
            </label>
            {more?.(row, (change) => setRow(row.variantId, change))}
            {isDone(row) ? (
              <CircleCheck aria-label={t('setup.done')} size={22} className="m-3 text-good" />
            ) : (
              <Button
                look="quiet"
                size="icon"
                aria-label={t('remove', { name: row.name })}
                onClick={() => onRows(rows.filter(({ variantId }) => variantId !== row.variantId))}
              >
                <Trash2 aria-hidden size={18} />
              </Button>
            )}
          </li>
        ))}
      </ul>
      <VariantPicker label={t('goods.add.label')} onPick={add} />
    </section>
  )
}
