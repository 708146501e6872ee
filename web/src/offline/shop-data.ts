import type { Category, ModifierGroup, Outlet, Product, Settings } from 'kasir-client'

/** What a register needs to know of its workspace. */
export type ShopData = {
  outlets: Outlet[]
  products: Product[]
  categories: Category[]
  groups: ModifierGroup[]
  settings: Settings | null
}
