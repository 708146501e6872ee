import { useShop } from '../offline/shop.ts'
import { useVariantName } from './use-outlet-options.ts'

export type GoodsNames = { variant(id: string): string; category(id: string): string }

/** The names of goods and categories, from the catalogue on this device. */
export function useGoodsNames(): GoodsNames {
  const variant = useVariantName()
  const categories = useShop((shop) => shop.categories)
  return { variant, category: (id) => categories.find((each) => each.id === id)?.name ?? id }
}
