import type { Category, ModifierGroup, Pack, Product, Variant } from 'kasir-client'
import { priceOfPack } from '../core.ts'
import type { ShopData } from '../offline/shop-data.ts'
import type { CartModifier, CartPack, Goods } from './cart.ts'
import { isWeighedLine } from './quantity.ts'

/** What can be sold, in the order of the tiles. Pure. */

export type Tile = {
  product: Product
  variants: readonly Variant[]
  groups: readonly ModifierGroup[]
  /** The lowest price; `isRange` says that variants differ. */
  price: number
  isRange: boolean
  /** Whether the price is for a kilogram. */
  isWeighed: boolean
  /** A place in the fixed row of colours, by category. */
  hue: number
}
export type Shelf = {
  tiles: readonly Tile[]
  categories: readonly Category[]
  byBarcode: ReadonlyMap<string, Sellable>
}
/** `pack` is the one whose barcode it is; null for units. */
export type Sellable = { tile: Tile; variant: Variant; pack: Pack | null }

const HUES = 8
const byOrder = (a: { sortOrder: number; name: string }, b: { sortOrder: number; name: string }) =>
  a.sortOrder - b.sortOrder || a.name.localeCompare(b.name, 'id')

function tileOf(
  product: Product,
  groups: ReadonlyMap<string, ModifierGroup>,
  places: ReadonlyMap<string, number>,
): Tile | null {
  const variants = product.variants
    .filter(({ isActive }) => isActive)
    .sort((a, b) => a.sortOrder - b.sortOrder)
  if (variants.length === 0) return null
  const prices = variants.map(({ price }) => price)
  const price = Math.min(...prices)
  const own = product.modifierGroupIds.flatMap((id) => groups.get(id) ?? [])
  return {
    product,
    variants,
    groups: own.map((group) => ({
      ...group,
      modifiers: group.modifiers.filter(({ isActive }) => isActive).sort(byOrder),
    })),
    price,
    isWeighed: variants.every((variant) => variant.soldBy === 'WEIGHT'),
    isRange: Math.max(...prices) !== price,
    hue: (places.get(product.categoryId ?? '') ?? 0) % HUES,
  }
}

/** Tiles by category and name: an order that changes only when the shop changes its catalogue. */
export function shelfOf({
  products,
  categories,
  groups,
}: Pick<ShopData, 'products' | 'categories' | 'groups'>): Shelf {
  const sorted = [...categories].sort(byOrder)
  const places = new Map(sorted.map(({ id }, place) => [id, place]))
  const groupById = new Map(groups.map((group) => [group.id, group]))
  const place = ({ product }: Tile) => places.get(product.categoryId ?? '') ?? sorted.length
  const tiles = products
    .filter(({ isActive }) => isActive)
    .flatMap((product) => tileOf(product, groupById, places) ?? [])
    .sort((a, b) => place(a) - place(b) || a.product.name.localeCompare(b.product.name, 'id'))
  const used = new Set(tiles.map(({ product }) => product.categoryId))
  const byBarcode = new Map<string, Sellable>()
  for (const tile of tiles) {
    for (const variant of tile.variants) {
      // A barcode wins over an equal stock number of another product.
      if (variant.sku !== null && !byBarcode.has(variant.sku))
        byBarcode.set(variant.sku, { tile, variant, pack: null })
    }
  }
  for (const tile of tiles) {
    for (const variant of tile.variants) {
      for (const code of barcodesOf(variant)) byBarcode.set(code, { tile, variant, pack: null })
      for (const pack of variant.packs ?? [])
        if (pack.barcode !== null) byBarcode.set(pack.barcode, { tile, variant, pack })
    }
  }
  return { tiles, categories: sorted.filter(({ id }) => used.has(id)), byBarcode }
}

/** Every barcode of a variant. The copy that an older version of this app kept has the first one only. */
export const barcodesOf = ({ barcode, barcodes }: Variant): readonly string[] =>
  barcodes ?? (barcode === null ? [] : [barcode])

/** What a cashier may scan or type to find a variant: its SKU, its barcodes, and those of its packs. */
export const codesOf = (variant: Variant): string[] =>
  [variant.sku, ...barcodesOf(variant), ...(variant.packs ?? []).map(({ barcode }) => barcode)].flatMap(
    (code) => code ?? [],
  )

/** The price of a pack, or of a unit without one: a pack without its own price costs its units (B-pack-3). */
export const packPriceOf = (goods: Pick<Variant, 'price' | 'soldBy'>, pack: Pack | null): number =>
  priceOfPack(goods, pack)

const packIn = ({ id, name, factor }: Pack): CartPack => ({ id, name, factor })

/** Whether a tap must ask first: which variant, how much it weighs, or modifiers that have to be chosen. */
export function needsChoice({ variants, groups }: Tile, variant: Variant | null, pack: Pack | null): boolean {
  const chosen = variant ?? (variants.length === 1 ? variants[0] : undefined)
  if (chosen === undefined || isWeighedLine({ soldBy: chosen.soldBy, pack: pack && packIn(pack) }))
    return true
  return groups.some(({ minSelect }) => minSelect > 0)
}

/** A product with one variant has no name for it. */
export const variantNameOf = ({ variants }: Tile, variant: Variant): string =>
  variants.length > 1 ? variant.name : ''

export const goodsOf = (
  tile: Tile,
  variant: Variant,
  {
    modifiers = [],
    note = '',
    pack = null,
  }: { modifiers?: readonly CartModifier[]; note?: string; pack?: Pack | null } = {},
): Goods => ({
  variantId: variant.id,
  productId: tile.product.id,
  name: tile.product.name,
  variantName: variantNameOf(tile, variant),
  unitPrice: packPriceOf(variant, pack),
  basePrice: packPriceOf(variant, pack),
  soldBy: variant.soldBy,
  priceListId: null,
  pack: pack && packIn(pack),
  taxRateBps: tile.product.taxRateBps,
  modifiers,
  note,
})

/** Whether the chosen modifiers satisfy the smallest and largest number of every group. */
export const isChoiceComplete = (
  groups: readonly (Pick<ModifierGroup, 'minSelect' | 'maxSelect'> & {
    modifiers: readonly { id: string }[]
  })[],
  chosen: ReadonlySet<string>,
): boolean =>
  groups.every(({ minSelect, maxSelect, modifiers }) => {
    const count = modifiers.filter(({ id }) => chosen.has(id)).length
    return count >= minSelect && (maxSelect === null || count <= maxSelect)
  })

/** The address of a photo on the service that served the page, whatever name the service knows itself by. */
export function photoAddress(url: string | null): string | null {
  const path = url === null ? null : /\/uploads\/.*$/.exec(url)?.[0]
  return path ?? url
}
