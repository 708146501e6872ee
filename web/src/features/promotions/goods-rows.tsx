import { Trash2 } from 'lucide-react'
import type { FormState } from '../../office/form/use-form.ts'
import { WholeInput } from '../../office/form/whole-input.tsx'
import { GoodsPicker } from '../../office/goods-picker.tsx'
import { useOfficeTexts } from '../../texts/office/texts.ts'
import { Button } from '../../ui/button.tsx'
import { FIELD } from '../../ui/field.tsx'
import type { GoodsRow, PromotionForm } from './promotion-values.ts'

/** The goods that a promotion covers, or the parts of a bundle with their units. */
export function GoodsRows({ form }: { form: FormState<PromotionForm> }) {
  const t = useOfficeTexts()
  const { goods, kind } = form.values
  const isBundle = kind === 'BUNDLE'
  const error = ['bundle', 'variantIds', 'categoryIds'].map((param) => form.errorAt(param)).find(Boolean)
  const setRow = (id: string, quantity: number | null) =>
    form.set({ goods: goods.map((row) => (row.id === id ? { ...row, quantity } : row)) })
  return (
    <section aria-label={t('promotion.goods')} className="grid gap-3">
      <h2 className="text-lg font-semibold">{t('promotion.goods')}</h2>
      <p className="text-sm text-muted">{t(isBundle ? 'promotion.bundleText' : 'promotion.goodsText')}</p>
      {goods.length > 0 && (
        <ul className="grid gap-2">
          {goods.map((row) => (
            <li key={row.id} className="flex flex-wrap items-center gap-2 rounded-xl border bg-panel p-3">
              <span className="min-w-0 flex-1 font-medium wrap-anywhere">
                {row.of === 'category' && (
                  <span className="font-normal text-muted">{t('product.category')}: </span>
                )}
                {row.name}
              </span>
              {isBundle && <Units row={row} set={(quantity) => setRow(row.id, quantity)} />}
              <Button
                look="quiet"
                size="icon"
                aria-label={t('remove', { name: row.name })}
                onClick={() => form.set({ goods: goods.filter(({ id }) => id !== row.id) })}
              >
                <Trash2 aria-hidden size={18} />
              </Button>
            </li>
          ))}
        </ul>
      )}
      <GoodsPicker
        except={goods.map(({ id }) => id)}
        onPick={({ of, id, name }) => form.set({ goods: [...goods, { of, id, name, quantity: 1 }] })}
      />
      {error && (
        <p role="alert" className="text-sm font-medium text-danger">
          {error}
        </p>
      )}
    </section>
  )
}

function Units({ row, set }: { row: GoodsRow; set(quantity: number | null): void }) {
  const t = useOfficeTexts()
  return (
    <label className="flex items-center gap-2 text-sm">
      {t('promotion.units')}
      <WholeInput
        min={1}
        max={1_000}
        required
        aria-label={t('promotion.unitsOf', { name: row.name })}
        className={`${FIELD} w-20`}
        value={row.quantity}
        onValue={set}
      />
    </label>
  )
}
