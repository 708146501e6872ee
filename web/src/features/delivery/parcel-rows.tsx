import { Plus, Trash2 } from 'lucide-react'
import type { FormState } from '../../office/form/use-form.ts'
import { WholeInput } from '../../office/form/whole-input.tsx'
import { useDeliveryTexts } from '../../texts/delivery/texts.ts'
import { Button } from '../../ui/button.tsx'
import { FIELD, Field } from '../../ui/field.tsx'
import { MoneyField } from '../../ui/money-field.tsx'
import { EMPTY_ROW, type ParcelRow, type ShipmentValues } from './shipment-values.ts'

const MOST_ROWS = 100
const FIELDS = ['name', 'quantity', 'weight', 'value'] as const

/** The content of a parcel, item by item, with the refusal of the service below the item. */
export function ParcelRows({ form }: { form: FormState<ShipmentValues> }) {
  const d = useDeliveryTexts()
  const { items } = form.values
  const setRow = (at: number, change: Partial<ParcelRow>) =>
    form.set({ items: items.map((row, each) => (each === at ? { ...row, ...change } : row)) })
  const errorIn = (at: number) =>
    FIELDS.map((name) => form.errorAt(`items[${at}].${name}`)).find((error) => error !== null) ?? null
  return (
    <fieldset className="grid min-w-0 gap-4">
      <legend className="mb-2 text-lg font-semibold">{d('shipment.items')}</legend>
      {items.map((row, at) => (
        <ItemFields
          // oxlint-disable-next-line react/no-array-index-key -- rows have no identity but their place
          key={at}
          at={at}
          row={row}
          error={errorIn(at)}
          onRow={(change) => setRow(at, change)}
          onRemove={
            items.length > 1 ? () => form.set({ items: items.filter((_, each) => each !== at) }) : null
          }
        />
      ))}
      <Button
        className="justify-self-start"
        disabled={items.length >= MOST_ROWS}
        onClick={() => form.set({ items: [...items, EMPTY_ROW] })}
      >
        <Plus aria-hidden size={18} />
        {d('parcel.add')}
      </Button>
    </fieldset>
  )
}

type ItemProps = {
  at: number
  row: ParcelRow
  error: string | null
  onRow(change: Partial<ParcelRow>): void
  onRemove: (() => void) | null
}

function ItemFields({ at, row, error, onRow, onRemove }: ItemProps) {
  const d = useDeliveryTexts()
  const n = at + 1
  const whole = (name: 'quantity' | 'weight', max: number) => (
    <label className="grid content-start gap-1.5 text-sm font-medium">
      {d(`parcel.${name}`)}
      <WholeInput
        data-param={`items[${at}].${name}`}
        required
        min={1}
        max={max}
        className={`${FIELD} font-normal`}
        value={row[name]}
        onValue={(value) => onRow({ [name]: value })}
      />
    </label>
  )
  return (
    <div
      role="group"
      aria-label={d('parcel.item', { n })}
      className="grid gap-3 rounded-xl border bg-panel p-3"
    >
      <div className="flex items-end gap-2">
        <div className="min-w-0 flex-1">
          <Field
            label={d('parcel.name')}
            data-param={`items[${at}].name`}
            required
            maxLength={120}
            value={row.name}
            onChange={({ target }) => onRow({ name: target.value })}
          />
        </div>
        {onRemove !== null && (
          <Button look="quiet" size="icon" aria-label={d('parcel.remove', { n })} onClick={onRemove}>
            <Trash2 aria-hidden size={18} />
          </Button>
        )}
      </div>
      <div className="grid gap-3 sm:grid-cols-3">
        {whole('quantity', 1_000)}
        {whole('weight', 1_000_000)}
        <MoneyField
          label={d('parcel.value')}
          data-param={`items[${at}].value`}
          value={row.value}
          onValue={(value) => onRow({ value })}
        />
      </div>
      {error !== null && (
        <p role="alert" className="text-sm font-medium text-danger">
          {error}
        </p>
      )}
    </div>
  )
}
