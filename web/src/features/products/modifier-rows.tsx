import { Plus, Trash2 } from 'lucide-react'
import { useOfficeTexts } from '../../texts/office/texts.ts'
import { Button } from '../../ui/button.tsx'
import { FIELD } from '../../ui/field.tsx'
import { MoneyField } from '../../ui/money-field.tsx'

export type ModifierForm = { id?: string; name: string; price: number; isActive: boolean }

type ModifierRowsProps = {
  modifiers: readonly ModifierForm[]
  onModifiers(modifiers: ModifierForm[]): void
}

/** The modifiers of a group: name and additional price. */
export function ModifierRows({ modifiers, onModifiers }: ModifierRowsProps) {
  const t = useOfficeTexts()
  const setRow = (at: number, change: Partial<ModifierForm>) =>
    onModifiers(modifiers.map((row, each) => (each === at ? { ...row, ...change } : row)))
  return (
    <>
      <ul className="grid gap-2">
        {modifiers.map(({ name, price }, at) => (
          // oxlint-disable-next-line react/no-array-index-key -- new rows have no id yet, and rows never change places
          <li key={at} className="grid grid-cols-[1fr_8rem_auto] items-end gap-2">
            <label className="grid min-w-0 gap-1.5 text-sm font-medium">
              {t('modifier.name')}
              <input
                className={`${FIELD} font-normal`}
                required
                maxLength={80}
                value={name}
                onChange={({ target }) => setRow(at, { name: target.value })}
              />
            </label>
            <MoneyField
              label={t('modifier.price')}
              value={price}
              onValue={(value) => setRow(at, { price: value ?? 0 })}
            />
            <Button
              look="quiet"
              size="icon"
              aria-label={t('remove', { name })}
              onClick={() => onModifiers(modifiers.filter((_, each) => each !== at))}
            >
              <Trash2 aria-hidden size={18} />
            </Button>
          </li>
        ))}
      </ul>
      <Button
        className="mt-3"
        onClick={() => onModifiers([...modifiers, { name: '', price: 0, isActive: true }])}
      >
        <Plus aria-hidden size={18} />
        {t('modifier.add')}
      </Button>
    </>
  )
}
