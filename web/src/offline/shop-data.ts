import type { Category, ModifierGroup, Outlet, PriceList, Product, Settings } from 'kasir-client'

/** What a register needs to know of its workspace. */
export type ShopData = {
  outlets: Outlet[]
  products: Product[]
  categories: Category[]
  groups: ModifierGroup[]
  /** The copy that an older version of this app kept has none. */
  priceLists?: PriceList[]
  settings: Settings | null
}
