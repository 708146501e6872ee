import { PackagePlus } from 'lucide-react'
import { useShop } from '../../offline/shop.ts'
import { useCart } from '../../selling/cart-store.ts'
import { useRegister } from '../../selling/register-store.ts'
import { useTexts } from '../../texts/texts.ts'
import { Button } from '../../ui/button.tsx'

/** Sells an item that is not in the catalogue, if the shop allows it. */
export function OpenItemButton() {
  const t = useTexts()
  const isAllowed = useShop((shop) => shop.settings?.openItems ?? false)
  const isStuck = useCart((cart) => cart.attempt !== null)
  const { quantity, show } = useRegister()
  if (!isAllowed) return null
  return (
    <Button
      className="shrink-0 px-3"
      disabled={isStuck}
      aria-label={t('openItem')}
      onClick={() =>
        show({ done: null, dialog: { kind: 'openItem', lineKey: null, quantity: quantity ?? 1 } })
      }
    >
      <PackagePlus aria-hidden size={20} />
      <span className="hidden xl:inline">{t('openItem')}</span>
    </Button>
  )
}
