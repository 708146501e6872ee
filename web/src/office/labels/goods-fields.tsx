import { Trash2 } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { FIELD, Field } from '../../ui/field.tsx'
import { Picks } from '../../ui/picks.tsx'
import { Select } from '../../ui/select.tsx'
import { WholeInput } from '../form/whole-input.tsx'
import { zoneName } from '../outlet-zone.ts'
import { VariantPicker } from '../variant-picker.tsx'
import type { LabelItem, LabelValues } from './label-values.ts'
import type { LabelSource } from './source.ts'
import { useLabelTexts } from './texts.ts'

type FieldsProps = {
  source: LabelSource
  values: LabelValues
  onChange(change: Partial<LabelValues>): void
}

const MOST_COPIES = 1_000

/** Which goods get labels, and how many. */
export function GoodsFields({ source, values, onChange }: FieldsProps) {
  const t = useLabelTexts()
  const { which, count, categoryId, since, copies } = values
  if (source.kind === 'order')
    return (
      <Picks
        label={t('units')}
        value={count}
        onValue={(next) => onChange({ count: next })}
        options={[
          { value: 'RECEIVED', text: t('received') },
          { value: 'ORDERED', text: t('ordered') },
        ]}
      />
    )
  return (
    <>
      <Picks
        label={t('which')}
        value={which}
        onValue={(next) => onChange({ which: next })}
        options={[
          { value: 'items', text: t('items') },
          { value: 'category', text: t('category') },
          { value: 'changed', text: t('changed') },
        ]}
      />
      {which === 'items' && <ItemRows items={values.items} onItems={(items) => onChange({ items })} />}
      {which === 'category' && (
        <Select
          label={t('chosenCategory')}
          value={categoryId}
          onValue={(next) => onChange({ categoryId: next })}
          options={source.categories.map(({ id, name }) => ({ value: id, text: name }))}
        />
      )}
      {which === 'changed' && (
        <Field
          type="date"
          label={t('since')}
          hint={t('sinceHint', { zone: zoneName() })}
          value={since}
          onChange={({ target }) => onChange({ since: target.value })}
        />
      )}
      {which !== 'items' && (
        <label className="grid gap-1.5 text-sm font-medium">
          {t('copies')}
          <WholeInput
            min={1}
            max={MOST_COPIES}
            className={`${FIELD} font-normal`}
            value={copies}
            onValue={(typed) => onChange({ copies: typed ?? 0 })}
          />
        </label>
      )}
    </>
  )
}

type RowsProps = { items: readonly LabelItem[]; onItems(items: readonly LabelItem[]): void }

/** The goods that were picked, each with its number of labels. */
function ItemRows({ items, onItems }: RowsProps) {
  const t = useLabelTexts()
  return (
    <>
      {items.length > 0 && (
        <ul className="grid gap-2">
          {items.map(({ variantId, name, copies }) => (
            <li key={variantId} className="grid grid-cols-[1fr_6rem_auto] items-center gap-2">
              <span className="min-w-0 text-sm font-medium break-words">{name}</span>
              <WholeInput
                min={1}
                max={MOST_COPIES}
                aria-label={t('copiesOf', { name })}
                className={`${FIELD} px-2!`}
                value={copies}
                onValue={(typed) =>
                  onItems(
                    items.map((item) =>
                      item.variantId === variantId ? { ...item, copies: typed ?? 0 } : item,
                    ),
                  )
                }
              />
              <Button
                look="quiet"
                size="icon"
                aria-label={t('removeOf', { name })}
                onClick={() => onItems(items.filter((item) => item.variantId !== variantId))}
              >
                <Trash2 aria-hidden size={18} />
              </Button>
            </li>
          ))}
        </ul>
      )}
      <VariantPicker
        label={t('add')}
        except={items.map(({ variantId }) => variantId)}
        onPick={({ variantId, name }) => onItems([...items, { variantId, name, copies: 1 }])}
      />
    </>
  )
}
