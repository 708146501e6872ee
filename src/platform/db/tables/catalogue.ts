// Rows of migrations/0002_catalogue.sql, 0017_outlet_tax_label.sql, 0100_words_alike.sql, 0150_money_terms.sql,
// 0182_printers.sql, 0190_packs.sql and 0191_weighed_goods.sql, as Kysely sees them.
import type { ColumnType, Generated, GeneratedAlways } from 'kysely'
import type { CashRounding } from '../../../core/cash-rounding.ts'
import type { PricedPack } from '../../../core/packs.ts'
import type { StationPrinters } from '../../../core/printing.ts'
import type { ServiceChargeBase } from '../../../core/service-charge.ts'
import type { SoldBy } from '../../../core/weights.ts'

export type OutletsRow = {
  accountId: string
  id: string
  name: string
  address: string | null
  phone: string | null
  timezone: Generated<string>
  taxRateBps: Generated<number>
  taxInclusive: Generated<boolean>
  taxLabel: Generated<string>
  serviceChargeBps: Generated<number>
  serviceChargeOrderTypes: Generated<('DINE_IN' | 'TAKEAWAY' | 'DELIVERY')[]>
  serviceChargeBase: Generated<ServiceChargeBase>
  serviceChargeTaxable: Generated<boolean>
  cashRounding: ColumnType<CashRounding, string | undefined, string>
  receiptHeader: string | null
  receiptFooter: string | null
  stationPrinters: ColumnType<StationPrinters, string | undefined, string>
  isActive: Generated<boolean>
  createdAt: Generated<string>
  updatedAt: Generated<string>
}

export type CategoriesRow = {
  accountId: string
  id: string
  name: string
  sortOrder: Generated<number>
  station: string | null
  isActive: Generated<boolean>
  createdAt: Generated<string>
  updatedAt: Generated<string>
}

export type ProductsRow = {
  accountId: string
  id: string
  name: string
  description: string | null
  categoryId: string | null
  kind: Generated<'GOODS' | 'SERVICE'>
  trackStock: Generated<boolean>
  requiresBatch: Generated<boolean>
  imageUrl: string | null
  thumbnailUrl: string | null
  station: string | null
  taxRateBps: number | null
  isActive: Generated<boolean>
  createdAt: Generated<string>
  updatedAt: Generated<string>
}

/** A JSON column that is null or holds this value. */
type JsonOf<T> = ColumnType<T | null, string | null | undefined, string | null>
/** The stored form of a pack of a variant. */
export type StoredPack = PricedPack & { barcode: string | null }

export type VariantsRow = {
  accountId: string
  id: string
  productId: string
  name: Generated<string>
  sku: string | null
  barcode: string | null
  otherBarcodes: JsonOf<string[]>
  packs: JsonOf<StoredPack[]>
  price: number
  soldBy: Generated<SoldBy>
  cost: Generated<number>
  sortOrder: Generated<number>
  isComposite: Generated<boolean>
  isActive: Generated<boolean>
  isLive: Generated<boolean>
  searchText: Generated<string>
  searchWords: GeneratedAlways<string>
  createdAt: Generated<string>
  updatedAt: Generated<string>
}

/** Every barcode of a live variant and of its packs (0190_packs.sql). */
export type VariantBarcodesRow = {
  accountId: string
  barcode: string
  variantId: string
  packId: string | null
}

export type RecipeComponentsRow = {
  accountId: string
  id: string
  variantId: string
  componentVariantId: string
  quantity: number
  unit: string | null
  sortOrder: Generated<number>
  createdAt: Generated<string>
  updatedAt: Generated<string>
}

export type ModifierGroupsRow = {
  accountId: string
  id: string
  name: string
  minSelect: Generated<number>
  maxSelect: number | null
  createdAt: Generated<string>
  updatedAt: Generated<string>
}

export type ModifiersRow = {
  accountId: string
  id: string
  groupId: string
  name: string
  price: Generated<number>
  sortOrder: Generated<number>
  isActive: Generated<boolean>
  createdAt: Generated<string>
  updatedAt: Generated<string>
}

export type ProductModifierGroupsRow = {
  accountId: string
  productId: string
  groupId: string
  sortOrder: number
}

export type CatalogueTables = {
  outlets: OutletsRow
  categories: CategoriesRow
  products: ProductsRow
  variants: VariantsRow
  variantBarcodes: VariantBarcodesRow
  recipeComponents: RecipeComponentsRow
  modifierGroups: ModifierGroupsRow
  modifiers: ModifiersRow
  productModifierGroups: ProductModifierGroupsRow
}
