import { useShop } from '../../offline/shop.ts'
import type { OrderType } from '../../selling/cart.ts'
import { useCart } from '../../selling/cart-store.ts'
import { useTexts } from '../../texts/texts.ts'
import { classes } from '../../ui/classes.ts'

const TYPES: readonly (OrderType | null)[] = [null, 'DINE_IN', 'TAKEAWAY', 'DELIVERY']

/** Where the order is eaten: for food and drink only. */
export function OrderTypes() {
  const t = useTexts()
  const isFood = useShop((shop) => shop.settings?.businessType === 'FNB')
  const orderType = useCart((cart) => cart.orderType)
  const change = useCart((cart) => cart.change)
  if (!isFood && orderType === null) return null
  return (
    <div
      role="group"
      aria-label={t('orderType')}
      className="flex gap-1 overflow-x-auto border-b px-2 py-1.5 [scrollbar-width:none]"
    >
      {TYPES.map((type) => (
        <button
          key={type ?? 'counter'}
          type="button"
          aria-pressed={type === orderType}
          onClick={() => change((cart) => ({ ...cart, orderType: type }))}
          className={classes(
            'min-h-12 flex-1 rounded-lg px-1.5 text-sm font-medium whitespace-nowrap',
            type === orderType ? 'bg-brand-soft text-brand' : 'text-muted hover:bg-line/60',
          )}
        >
          {t(`orderType.${type ?? 'COUNTER'}`)}
        </button>
      ))}
    </div>
  )
}
