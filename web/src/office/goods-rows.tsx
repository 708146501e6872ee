import { CircleCheck, Trash2 } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import { useOfficeTexts } from '../texts/office/texts.ts'
import { Button } from '../ui/button.tsx'
import { FIELD } from '../ui/field.tsx'
import { WholeInput } from './form/whole-input.tsx'
import type { SoldBy } from './goods-amounts.ts'
import { type PickedVariant, VariantPicker } from './variant-picker.tsx'

/** Goods in units, grams, or packs of an order. */
export type GoodsRow = {
  variantId: string
  name: string
  soldBy: SoldBy
  pack?: { id: string; name: string } | null
  qty: number
}

/** Loose units and each pack of the same goods are separate rows. */
const keyOf = ({ variantId, pack }: Pick<GoodsRow, 'variantId' | 'pack'>) => `${variantId} ${pack?.id ?? ''}`

type GoodsRowsProps<Row extends GoodsRow> = {
  rows: readonly Row[]
  onRows(rows: readonly Row[]): void
  /** A pack has its own row and is counted in packs. Without this, a pack adds its units. */
  hasPacks?: boolean
  /** Makes the row of goods that were just picked. */
  rowFrom?(row: GoodsRow): Row
  /** The row is finished and stays as it is. */
  isDone?(row: Row): boolean
  /** More fields of a row. */
  more?(row: Row, set: (change: Partial<Row>) => void): ReactNode
}

/**
 * A list of goods with quantities. A second scan of the same goods adds to their row, unless it is finished or the text in
 * it cannot be read.
 */
export function GoodsRows<Row extends GoodsRow>(props: GoodsRowsProps<Row>) {
  const { rows, onRows, hasPacks = false, rowFrom = (row) => row as Row, isDone = () => false, more } = props
  const t = useOfficeTexts()
  const list = useRef<HTMLUListElement>(null)
  const [refusedName, setRefusedName] = useState<string | null>(null)
  const setRow = (key: string, change: Partial<Row>) =>
    onRows(rows.map((row) => (keyOf(row) === key ? { ...row, ...change } : row)))
  const add = ({ variantId, name, soldBy, pack: picked }: PickedVariant) => {
    const [pack, qty] = hasPacks ? [picked, 1] : [null, picked?.factor ?? 1]
    const key = keyOf({ variantId, pack })
    const row = rows.find((each) => keyOf(each) === key)
    const isRefused = row !== undefined && isDone(row)
    setRefusedName(isRefused ? name : null)
    if (isRefused) return
    if (row === undefined) onRows([...rows, rowFrom({ variantId, name, soldBy, pack, qty })])
    else {
      const unread = list.current?.children[rows.indexOf(row)]?.querySelector('[data-unread=true]')
      if (unread instanceof HTMLInputElement) unread.reportValidity()
      else setRow(key, { qty: row.qty + qty } as Partial<Row>)
    }
  }
  return (
    <section aria-label={t('goods.list')} className="grid gap-3">
      <h2 className="text-lg font-semibold">{t('goods.list')}</h2>
      <ul ref={list} className="grid gap-2">
        {rows.map((row) => (
          <li key={keyOf(row)} className="flex flex-wrap items-end gap-2 rounded-xl border bg-panel p-3">
            <span className="min-w-40 flex-1 self-center font-medium break-words">
              {row.name}
              {row.pack && ` · ${row.pack.name}`}
            </span>
            <label className="grid w-24 gap-1 text-xs font-medium">
              {t(row.soldBy === 'WEIGHT' && !row.pack ? 'goods.grams' : 'goods.qty')}
              <WholeInput
                min={1}
                required
                disabled={isDone(row)}
                className={`${FIELD} px-3! font-normal`}
                value={row.qty}
                onValue={(qty) => setRow(keyOf(row), { qty: qty ?? 0 } as Partial<Row>)}
              />
            </label>
            {more?.(row, (change) => setRow(keyOf(row), change))}
            {isDone(row) ? (
              <CircleCheck aria-label={t('setup.done')} size={22} className="m-3 text-good" />
            ) : (
              <Button
                look="quiet"
                size="icon"
                aria-label={t('remove', { name: row.name })}
                onClick={() => onRows(rows.filter((each) => keyOf(each) !== keyOf(row)))}
              >
                <Trash2 aria-hidden size={18} />
              </Button>
            )}
          </li>
        ))}
      </ul>
      {refusedName !== null && (
        <p role="alert" className="text-sm font-medium text-danger">
          {t('goods.finished', { name: refusedName })}
        </p>
      )}
      <VariantPicker label={t('goods.add.label')} onPick={add} />
    </section>
  )
}
