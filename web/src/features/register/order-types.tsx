import { useShop } from '../../offline/shop.ts'
import type { OrderType } from '../../selling/cart.ts'
import { useCart } from '../../selling/cart-store.ts'
import { useTexts } from '../../texts/texts.ts'
import { ToggleRow } from '../../ui/toggle-row.tsx'

const TYPES: readonly (OrderType | null)[] = [null, 'DINE_IN', 'TAKEAWAY', 'DELIVERY']

/** Where the order is eaten: for food and drink only. */
export function OrderTypes() {
  const t = useTexts()
  const isFood = useShop((shop) => shop.settings?.businessType === 'FNB')
  const orderType = useCart((cart) => cart.orderType)
  const change = useCart((cart) => cart.change)
  if (!isFood && orderType === null) return null
  return (
    <ToggleRow
      label={t('orderType')}
      options={TYPES.map((value) => ({ value, text: t(`orderType.${value ?? 'COUNTER'}`) }))}
      value={orderType}
      onValue={(type) => change((cart) => ({ ...cart, orderType: type }))}
    />
  )
}
