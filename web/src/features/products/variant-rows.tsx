import { Plus, Trash2 } from 'lucide-react'
import type { ClipboardEvent } from 'react'
import type { FormState } from '../../office/form/use-form.ts'
import { useOfficeTexts } from '../../texts/office/texts.ts'
import { Button } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { FIELD } from '../../ui/field.tsx'
import { formatAmount, parsePastedRupiah, readAmount } from '../../ui/rupiah.ts'
import { PackRows } from './pack-rows.tsx'
import { MOST_VARIANTS, newVariant, type ProductForm, type VariantForm } from './product-form-values.ts'

const COLUMNS = ['name', 'price', 'cost', 'sku', 'barcode'] as const
type VariantColumn = (typeof COLUMNS)[number]
const isMoney = (column: VariantColumn) => column === 'price' || column === 'cost'

const valueOf = (column: VariantColumn, text: string, readMoney: (text: string) => number | null) => {
  if (isMoney(column)) return readMoney(text)
  return text.trim() === '' && column !== 'name' ? null : text
}

/** The rows of a spreadsheet: name, price, cost, SKU, barcode, separated by tabs. */
const rowsIn = (text: string): VariantForm[] =>
  text
    .split(/\r?\n/)
    .filter((line) => line.includes('\t'))
    .map((line) => {
      const cells = line.split('\t')
      const typed = COLUMNS.map((column, at) => [column, valueOf(column, cells[at] ?? '', parsePastedRupiah)])
      return { ...newVariant(), ...Object.fromEntries(typed) }
    })

/** The variants of a product, edited like a sheet. Rows from a spreadsheet may be pasted; `excess` of them are too many. */
export function VariantRows({ form, excess }: { form: FormState<ProductForm>; excess: number }) {
  const t = useOfficeTexts()
  const { variants } = form.values
  const setRow = (at: number, change: Partial<VariantForm>) =>
    form.set({ variants: variants.map((row, each) => (each === at ? { ...row, ...change } : row)) })
  const paste = (event: ClipboardEvent) => {
    const rows = rowsIn(event.clipboardData.getData('text'))
    if (rows.length === 0) return
    event.preventDefault()
    form.set({
      variants: [...variants.filter(({ id, price }) => id !== undefined || price !== null), ...rows],
    })
  }
  return (
    <section aria-label={t('product.variants')} onPaste={paste}>
      <h2 className="mb-2 text-lg font-semibold">{t('product.variants')}</h2>
      <ul className="grid gap-3">
        {variants.map((variant, at) => (
          // oxlint-disable-next-line react/no-array-index-key -- new rows have no id yet, and rows never change places
          <li key={at} className="grid grid-cols-2 gap-2 rounded-xl border bg-panel p-3 md:grid-cols-12">
            {COLUMNS.map((column) => (
              <Cell key={column} column={column} at={at} variant={variant} form={form} onValue={setRow} />
            ))}
            <Button
              look="quiet"
              size="icon"
              className="self-end justify-self-end max-md:col-span-2"
              aria-label={t('variant.remove', { n: at + 1 })}
              disabled={variants.length === 1}
              onClick={() => form.set({ variants: variants.filter((_, each) => each !== at) })}
            >
              <Trash2 aria-hidden size={18} />
            </Button>
            <PackRows at={at} packs={variant.packs} form={form} onPacks={(packs) => setRow(at, { packs })} />
          </li>
        ))}
      </ul>
      <Button
        className="mt-3"
        onClick={() => form.set({ variants: [...variants, { ...newVariant(), name: '' }] })}
      >
        <Plus aria-hidden size={18} />
        {t('variant.add')}
      </Button>
      {excess > 0 && (
        <p role="alert" className="mt-2 text-sm text-danger">
          {t('variant.tooMany', { most: MOST_VARIANTS, n: excess })}
        </p>
      )}
      <p className="mt-2 text-sm text-muted">{t('variant.pasteHint')}</p>
    </section>
  )
}

const WIDTHS: Readonly<Record<VariantColumn, string>> = {
  name: 'max-md:col-span-2 md:col-span-3',
  price: 'md:col-span-2',
  cost: 'md:col-span-2',
  sku: 'md:col-span-2',
  barcode: 'md:col-span-2',
}

type CellProps = {
  column: VariantColumn
  at: number
  variant: VariantForm
  form: FormState<ProductForm>
  onValue(at: number, change: Partial<VariantForm>): void
}

function Cell({ column, at, variant, form, onValue }: CellProps) {
  const t = useOfficeTexts()
  const param = `variants[${at}].${column}`
  const error =
    form.errorAt(param) ?? (column === 'barcode' ? form.errorAt(`variants[${at}].barcodes`) : null)
  const value = variant[column]
  return (
    <label className={classes('grid min-w-0 content-start gap-1 text-xs font-medium', WIDTHS[column])}>
      {t(`variant.${column}`)}
      <input
        className={classes(
          FIELD,
          'px-3! font-normal',
          isMoney(column) && 'amount',
          error !== null && 'border-danger!',
        )}
        data-param={param}
        aria-invalid={error !== null}
        autoComplete="off"
        inputMode={isMoney(column) ? 'numeric' : 'text'}
        value={typeof value === 'number' ? formatAmount(value) : (value ?? '')}
        onChange={({ target, nativeEvent }) =>
          onValue(at, {
            [column]: valueOf(column, target.value, (text) => readAmount(text, nativeEvent)),
          })
        }
        onKeyDown={(event) => {
          if (column !== 'barcode' || event.key !== 'Enter') return
          // A scanner ends a code with Enter; the field then separates it from the next code.
          event.preventDefault()
          if (variant.barcode && !/[,\s]$/.test(variant.barcode))
            onValue(at, { barcode: `${variant.barcode}, ` })
        }}
      />
      {error !== null && (
        <span role="alert" className="text-sm text-danger">
          {error}
        </span>
      )}
    </label>
  )
}
