import { Trash2 } from 'lucide-react'
import { PercentInput } from '../../../office/form/percent-input.tsx'
import type { FormState } from '../../../office/form/use-form.ts'
import { GoodsPicker } from '../../../office/goods-picker.tsx'
import { useOfficeTexts } from '../../../texts/office/texts.ts'
import { Button } from '../../../ui/button.tsx'
import { FIELD } from '../../../ui/field.tsx'
import { formatAmount, readAmount } from '../../../ui/rupiah.ts'
import { type EntryForm, newEntry, type PriceListForm } from './price-list-values.ts'

const MODES = ['fixed', 'lower', 'raise'] as const
const STEPS = ['100', '500', '1000'] as const

/** The prices of a list: goods and categories with a fixed price, a discount or a surcharge. */
export function EntryRows({ form }: { form: FormState<PriceListForm> }) {
  const t = useOfficeTexts()
  const { entries } = form.values
  const setRow = (id: string, change: Partial<EntryForm>) =>
    form.set({ entries: entries.map((row) => (row.id === id ? { ...row, ...change } : row)) })
  const add = (row: EntryForm) => form.set({ entries: [...entries, row] })
  return (
    <section aria-label={t('priceList.entries')} className="grid gap-3">
      <h2 className="text-lg font-semibold">{t('priceList.entries')}</h2>
      <p className="text-sm text-muted">{t('priceList.entriesText')}</p>
      <ul className="grid gap-2">
        {entries.map((row, at) => (
          <li key={row.id} className="grid gap-2 rounded-xl border bg-panel p-3">
            <span className="flex items-center gap-2">
              <span className="min-w-0 flex-1 font-medium wrap-anywhere">
                {row.of === 'category' && (
                  <span className="font-normal text-muted">{t('product.category')}: </span>
                )}
                {row.name}
              </span>
              <Button
                look="quiet"
                size="icon"
                aria-label={t('remove', { name: row.name })}
                onClick={() => form.set({ entries: entries.filter(({ id }) => id !== row.id) })}
              >
                <Trash2 aria-hidden size={18} />
              </Button>
            </span>
            <EntryFields row={row} at={at} form={form} set={(change) => setRow(row.id, change)} />
          </li>
        ))}
      </ul>
      <GoodsPicker
        except={entries.map(({ id }) => id)}
        onPick={({ of, id, name, price }) => add(newEntry(of, id, name, price))}
      />
    </section>
  )
}

type EntryFieldsProps = {
  row: EntryForm
  at: number
  form: FormState<PriceListForm>
  set(change: Partial<EntryForm>): void
}

function EntryFields({ row, at, form, set }: EntryFieldsProps) {
  const t = useOfficeTexts()
  const param = `entries[${at}].${row.mode === 'fixed' ? 'price' : 'adjustBps'}`
  const error = form.errorAt(param) ?? form.errorAt(`entries[${at}]`)
  const id = `entry-${row.id}`
  return (
    <div className="grid grid-cols-2 gap-2 sm:grid-cols-3">
      <label className="grid gap-1 text-xs font-medium max-sm:col-span-2">
        {t('priceList.mode')}
        <select
          className={`${FIELD} font-normal`}
          value={row.mode}
          onChange={({ target }) => set({ mode: target.value as EntryForm['mode'] })}
        >
          {MODES.map((mode) => (
            <option key={mode} value={mode}>
              {t(`priceList.mode.${mode}`)}
            </option>
          ))}
        </select>
      </label>
      <div className="grid content-start gap-1">
        <label htmlFor={id} className="text-xs font-medium">
          {t(row.mode === 'fixed' ? 'variant.price' : 'priceList.percent')}
        </label>
        {row.mode === 'fixed' ? (
          <input
            id={id}
            data-param={param}
            inputMode="numeric"
            required
            autoComplete="off"
            className={`${FIELD} amount`}
            value={row.price === null ? '' : formatAmount(row.price)}
            onChange={({ target, nativeEvent }) => set({ price: readAmount(target.value, nativeEvent) })}
          />
        ) : (
          <PercentInput
            common={{ id, className: FIELD, required: true, 'data-param': param }}
            bps={row.bps}
            set={(bps) => set({ bps })}
          />
        )}
      </div>
      {row.mode !== 'fixed' && (
        <label className="grid content-start gap-1 text-xs font-medium">
          {t('priceList.roundTo')}
          <select
            className={`${FIELD} font-normal`}
            value={row.roundTo}
            onChange={({ target }) => set({ roundTo: target.value })}
          >
            <option value="">{t('rounding.none')}</option>
            {[...new Set([...STEPS, ...(row.roundTo === '' ? [] : [row.roundTo])])].map((step) => (
              <option key={step} value={step}>{`Rp ${formatAmount(Number(step))}`}</option>
            ))}
          </select>
        </label>
      )}
      {error !== null && (
        <p role="alert" className="col-span-full text-sm font-medium text-danger">
          {error}
        </p>
      )}
    </div>
  )
}
