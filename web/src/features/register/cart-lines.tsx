import type { Product } from 'kasir-client'
import { ShoppingBasket } from 'lucide-react'
import { useEffect, useMemo, useRef } from 'react'
import { useShop } from '../../offline/shop.ts'
import { useCart } from '../../selling/cart-store.ts'
import { useTexts } from '../../texts/texts.ts'
import { Empty } from '../../ui/empty.tsx'
import { CartLineRow } from './cart-line-row.tsx'

const sellableVariantIds = (products: readonly Product[]): ReadonlySet<string> =>
  new Set(
    products
      .filter(({ isActive }) => isActive)
      .flatMap(({ variants }) => variants.flatMap(({ id, isActive }) => (isActive ? id : []))),
  )

/** The lines of the cart; the list scrolls to the selected one. */
export function CartLines() {
  const t = useTexts()
  const lines = useCart((cart) => cart.lines)
  const selected = useCart((cart) => cart.selected)
  const products = useShop((shop) => shop.products)
  const sellableIds = useMemo(() => sellableVariantIds(products), [products])
  const list = useRef<HTMLUListElement>(null)
  useEffect(() => {
    // After the paint: before it, the browser would lay the page out twice for a tap.
    let timer: ReturnType<typeof setTimeout> | undefined
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(() =>
        list.current?.querySelector(`[data-key="${selected}"]`)?.scrollIntoView({ block: 'nearest' }),
      )
    })
    return () => {
      cancelAnimationFrame(frame)
      clearTimeout(timer)
    }
  }, [selected, lines.length])
  if (lines.length === 0)
    return (
      <div className="min-h-0 flex-1 overflow-y-auto">
        <ul aria-label={t('cart')} className="sr-only" />
        <Empty icon={ShoppingBasket} title={t('cart.empty')} text={t('cart.emptyHint')} />
      </div>
    )
  return (
    <ul ref={list} aria-label={t('cart')} className="min-h-0 flex-1 divide-y overflow-y-auto contain-strict">
      {lines.map((line) => (
        <CartLineRow
          key={line.key}
          line={line}
          isSelected={line.key === selected}
          isEditable={line.variantId === null || sellableIds.has(line.variantId)}
        />
      ))}
    </ul>
  )
}
