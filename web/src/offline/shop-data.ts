import type {
  Category,
  ModifierGroup,
  Outlet,
  PriceList,
  Product,
  Settings,
  TillPromotion,
} from 'kasir-client'

/** The promotions of an outlet, and the version of the catalogue that they are of. */
export type PromotionCopy = { outletId: string; version: string; promotions: readonly TillPromotion[] }

/** What a register needs to know of its workspace. */
export type ShopData = {
  /** The active ones. */
  outlets: Outlet[]
  /** The copy that an older version of this app kept has none. */
  inactiveOutlets?: Outlet[]
  products: Product[]
  categories: Category[]
  groups: ModifierGroup[]
  /** The copy that an older version of this app kept has none. */
  priceLists?: PriceList[]
  settings: Settings | null
  /** Null until they were read once. */
  promotions: PromotionCopy | null
}
