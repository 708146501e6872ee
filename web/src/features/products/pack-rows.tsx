import { PackagePlus, Trash2 } from 'lucide-react'
import type { FormState } from '../../office/form/use-form.ts'
import { useOfficeTexts } from '../../texts/office/texts.ts'
import { Button } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { FIELD } from '../../ui/field.tsx'
import { formatAmount, readAmount } from '../../ui/rupiah.ts'
import { newPack, type PackForm, type ProductForm } from './product-form-values.ts'

const COLUMNS = ['name', 'factor', 'barcode', 'price'] as const
type PackColumn = (typeof COLUMNS)[number]

const valueOf = (column: PackColumn, text: string, change: object) => {
  if (column === 'price') return readAmount(text, change)
  if (column === 'factor')
    return text.replaceAll(/\D/g, '') === '' ? null : Number(text.replaceAll(/\D/g, ''))
  return text.trim() === '' && column === 'barcode' ? null : text
}

type PackRowsProps = {
  /** The place of the variant in the form. */
  at: number
  packs: readonly PackForm[]
  form: FormState<ProductForm>
  onPacks(packs: PackForm[]): void
}

/** The packs in which a variant is also sold and ordered: a strip of 10, a box of 100. */
export function PackRows({ at, packs, form, onPacks }: PackRowsProps) {
  const t = useOfficeTexts()
  const setPack = (place: number, change: Partial<PackForm>) =>
    onPacks(packs.map((pack, each) => (each === place ? { ...pack, ...change } : pack)))
  return (
    <section aria-label={t('packs')} className="col-span-full grid gap-2">
      {packs.length > 0 && (
        <ul className="grid gap-2 border-l-3 pl-3">
          {packs.map((pack, place) => (
            // oxlint-disable-next-line react/no-array-index-key -- new packs have no id yet, and packs never change places
            <li key={place} className="grid grid-cols-2 gap-2 md:grid-cols-[2fr_1fr_2fr_2fr_auto]">
              {COLUMNS.map((column) => (
                <PackCell
                  key={column}
                  column={column}
                  param={`variants[${at}].packs[${place}].${column}`}
                  pack={pack}
                  form={form}
                  onValue={(value) => setPack(place, { [column]: value })}
                />
              ))}
              <Button
                look="quiet"
                size="icon"
                className="self-end justify-self-end max-md:col-span-2"
                aria-label={t('remove', { name: pack.name === '' ? t('pack') : pack.name })}
                onClick={() => onPacks(packs.filter((_, each) => each !== place))}
              >
                <Trash2 aria-hidden size={18} />
              </Button>
            </li>
          ))}
        </ul>
      )}
      <div>
        <Button look="quiet" onClick={() => onPacks([...packs, newPack()])}>
          <PackagePlus aria-hidden size={18} />
          {t('pack.add')}
        </Button>
      </div>
    </section>
  )
}

type PackCellProps = {
  column: PackColumn
  param: string
  pack: PackForm
  form: FormState<ProductForm>
  onValue(value: string | number | null): void
}

function PackCell({ column, param, pack, form, onValue }: PackCellProps) {
  const t = useOfficeTexts()
  const error = form.errorAt(param)
  const value = pack[column]
  const isNumber = column === 'price' || column === 'factor'
  return (
    <label className="grid min-w-0 content-start gap-1 text-xs font-medium">
      {t(`pack.${column}`)}
      <input
        className={classes(
          FIELD,
          'px-3! font-normal',
          isNumber && 'amount',
          error !== null && 'border-danger!',
        )}
        data-param={param}
        aria-invalid={error !== null}
        autoComplete="off"
        inputMode={isNumber ? 'numeric' : 'text'}
        placeholder={column === 'price' ? t('pack.priceHint') : undefined}
        required={column === 'name' || column === 'factor'}
        value={typeof value === 'number' ? formatAmount(value) : (value ?? '')}
        onChange={({ target, nativeEvent }) => onValue(valueOf(column, target.value, nativeEvent))}
        // A scanner ends a code with Enter, which must not send the form.
        onKeyDown={(event) => column === 'barcode' && event.key === 'Enter' && event.preventDefault()}
      />
      {error !== null && (
        <span role="alert" className="text-sm text-danger">
          {error}
        </span>
      )}
    </label>
  )
}
