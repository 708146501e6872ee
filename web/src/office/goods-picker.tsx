import { useShop } from '../offline/shop.ts'
import { useOfficeTexts } from '../texts/office/texts.ts'
import { FIELD } from '../ui/field.tsx'
import { VariantPicker } from './variant-picker.tsx'

/** Goods of one kind or of a whole category. `price` is that of a variant. */
export type PickedGoods = { of: 'variant' | 'category'; id: string; name: string; price: number | null }

type PickerProps = {
  /** Variants and categories that cannot be picked, because they are picked already. */
  except: readonly string[]
  onPick(goods: PickedGoods): void
}

/** Adds a variant by search or scan, or a category from a list. */
export function GoodsPicker({ except, onPick }: PickerProps) {
  const t = useOfficeTexts()
  const categories = useShop((shop) => shop.categories)
  const free = categories.filter(({ id }) => !except.includes(id))
  return (
    <>
      <VariantPicker
        label={t('goods.add.label')}
        except={except}
        onPick={({ variantId, name, price }) => onPick({ of: 'variant', id: variantId, name, price })}
      />
      {free.length > 0 && (
        <label className="grid gap-1.5 text-sm font-medium">
          {t('goods.addCategory')}
          <select
            className={`${FIELD} font-normal`}
            value=""
            onChange={({ target }) => {
              const category = free.find(({ id }) => id === target.value)
              if (category) onPick({ of: 'category', id: category.id, name: category.name, price: null })
            }}
          >
            <option value="">{t('goods.chooseCategory')}</option>
            {free.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
    </>
  )
}
