import { type Static, Type } from 'typebox'
import { SOLD_BY } from '../../../core/weights.ts'
import {
  Amount,
  FilterId,
  Flag,
  FreeText,
  Id,
  Nullable,
  Rupiah,
  Search,
  SortOrder,
  Text,
  ThumbnailUrl,
  Timestamps,
  WholeQuery,
  Words,
} from '../../../platform/http/shapes.ts'

export const KINDS = ['GOODS', 'SERVICE'] as const

/** Empty text and null both mean no code (B-product-3). */
const Code = FreeText(64)
const Barcodes = Type.Array(Text(64), {
  maxItems: 20,
  description: 'All barcodes; `barcode` is the first one',
})

const PackFields = {
  name: Text(80),
  factor: Type.Integer({
    minimum: 2,
    maximum: 100_000,
    description: 'Units of the variant in one pack',
  }),
}
const PackSettable = {
  ...PackFields,
  barcode: Type.Optional(Code),
  price: Type.Optional(Nullable(Rupiah)),
}
const PackNew = Type.Object(PackSettable, { title: 'PackCreate' })
/** With `id` it changes that pack; a price or barcode that is not sent then stays. */
const PackIn = Type.Object({ id: Type.Optional(Id), ...PackSettable }, { title: 'PackEntry' })
const PacksIn = Type.Array(PackIn, {
  maxItems: 20,
  description: 'Replaces the packs: an entry without id is new, and a pack that is left out is removed',
})
const Pack = Type.Object(
  {
    id: Id,
    ...PackFields,
    barcode: Nullable(Type.String()),
    price: Nullable(Type.Integer({ ...Amount, description: 'Null means factor × the price of the variant' })),
  },
  { title: 'Pack' },
)

const VariantSettable = {
  name: Text(80),
  sku: Code,
  barcode: Code,
  price: Rupiah,
  soldBy: Words(SOLD_BY, {
    description: 'WEIGHT: quantities are grams, and price and cost are for a kilogram',
  }),
  cost: Rupiah,
  sortOrder: SortOrder,
  isActive: Type.Boolean(),
}
const { price: Price, ...VariantOptional } = VariantSettable

const NewPacks = Type.Array(PackNew, { maxItems: 20, description: 'Sizes that it is also sold or bought in' })
const CodeLists = { barcodes: Type.Optional(Barcodes), packs: Type.Optional(PacksIn) }

export const VariantIn = Type.Object(
  {
    price: Price,
    ...Type.Partial(Type.Object(VariantOptional)).properties,
    ...CodeLists,
    packs: Type.Optional(NewPacks),
  },
  { title: 'VariantCreate' },
)
export const VariantPatch = Type.Partial(Type.Object({ ...VariantSettable, ...CodeLists }), {
  title: 'VariantUpdate',
})
/** One entry of the variant list in an update. `price` is required unless `id` is sent (B-product-1). */
export const VariantItem = Type.Partial(Type.Object({ id: Id, ...VariantSettable, ...CodeLists }), {
  title: 'VariantEntry',
})
const DerivedCost = Nullable(
  Type.Integer({ ...Amount, description: 'Sum of component cost × quantity; null unless composite' }),
)
export const Variant = Type.Object(
  {
    id: Id,
    productId: Id,
    ...VariantSettable,
    barcodes: Barcodes,
    packs: Type.Array(Pack),
    isComposite: Type.Boolean(),
    derivedCost: DerivedCost,
    ...Timestamps,
  },
  { title: 'Variant' },
)

const ImageUrl = Type.String({
  maxLength: 600,
  pattern: '^([hH][tT][tT][pP][sS]?://[^\\s/?#]\\S*)?$',
  'x-form': 'a web address such as https://example.com',
  description: 'An http or https address',
})

const ProductSettable = {
  description: FreeText(2000),
  categoryId: Nullable(Id),
  kind: Words(KINDS),
  trackStock: Type.Boolean({ description: 'Always false for services' }),
  requiresBatch: Type.Boolean(),
  imageUrl: Nullable(ImageUrl),
  station: Nullable(
    Type.String({ maxLength: 40, description: 'Kitchen station; null means the station of the category' }),
  ),
  taxRateBps: Nullable(
    Type.Integer({
      minimum: 0,
      maximum: 10_000,
      description: 'Basis points: 11% is 1100. Null means the rate of the outlet',
    }),
  ),
  isActive: Type.Boolean(),
}
const optional = Type.Partial(Type.Object(ProductSettable)).properties
/** The largest number of active variants of a product, and of entries in a request (B-product-1). */
export const MOST_VARIANTS = 250
/** The largest number of variants of a product, inactive ones included (B-product-1). */
export const MOST_IN_ALL = 1_000
/** The largest number of packs, and of barcodes beside the first of each variant, of a product (B-pack-1). */
export const MOST_CODES = 1_000
const list = { minItems: 1, maxItems: MOST_VARIANTS }

export const ProductIn = Type.Object(
  { name: Text(160), ...optional, variants: Type.Array(VariantIn, list) },
  { title: 'ProductCreate' },
)
export const ProductPatch = Type.Partial(
  Type.Object({ name: Text(160), ...optional, variants: Type.Array(VariantItem, list) }),
  { title: 'ProductUpdate' },
)
/** Bodies of an import. They also list inactive variants, of which a product may have more. */
const importedList = { minItems: 1, maxItems: 2_000 }
export const ImportedProduct = Type.Object({
  ...ProductIn.properties,
  variants: Type.Array(VariantIn, importedList),
})
export const ImportedPatch = Type.Object({
  ...ProductPatch.properties,
  variants: Type.Optional(Type.Array(VariantItem, importedList)),
})
export const Product = Type.Object(
  {
    id: Id,
    name: Text(160),
    ...ProductSettable,
    thumbnailUrl: ThumbnailUrl,
    categoryName: Nullable(Text(80)),
    variants: Type.Array(Variant),
    modifierGroupIds: Type.Array(Id, { description: 'In the order that tills show them' }),
    ...Timestamps,
  },
  { title: 'Product' },
)

export const ProductQuery = Type.Object({ categoryId: FilterId, active: Flag, q: Search, ...WholeQuery })
export const VariantParams = Type.Object({ id: Id, vid: Id })

export const BulkCategory = Type.Object(
  {
    productIds: Type.Array(Id, { minItems: 1, maxItems: 500 }),
    categoryId: Nullable(Id),
  },
  { title: 'ProductSetCategory' },
)

export const ProductParams = Type.Object({ productId: Id })
export const ProductGroups = Type.Object(
  { groupIds: Type.Array(Id, { maxItems: 50 }) },
  { title: 'ProductSetModifierGroups' },
)

export const LookupQuery = Type.Object({
  barcode: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  q: Search,
})
export const Match = Type.Object(
  {
    productId: Id,
    productName: Text(160),
    variantId: Id,
    variantName: Text(80),
    sku: Nullable(Type.String()),
    barcode: Nullable(Type.String()),
    price: Rupiah,
    soldBy: Words(SOLD_BY),
    quantity: Nullable(Type.Integer({ description: 'Grams, read from the barcode of a scale' })),
    labelPrice: Nullable(
      Type.Integer({ ...Amount, description: 'The price on the label of a scale that prints prices' }),
    ),
    pack: Nullable(
      Type.Object(
        { ...Pack.properties, price: Rupiah },
        {
          description: 'The pack that has the barcode, with what it costs; null if the variant itself has it',
        },
      ),
    ),
    isComposite: Type.Boolean(),
    imageUrl: Nullable(Type.String()),
    thumbnailUrl: ThumbnailUrl,
  },
  { title: 'Match' },
)

const Quantity = Type.Integer({
  minimum: 1,
  maximum: 1_000_000,
  description: 'In the stock unit of the component',
})
const Unit = Nullable(
  Type.String({ maxLength: 20, description: 'Shown to people, for example g, ml or pcs' }),
)
export const RecipeIn = Type.Object(
  {
    isComposite: Type.Boolean(),
    components: Type.Optional(
      Type.Array(Type.Object({ componentVariantId: Id, quantity: Quantity, unit: Type.Optional(Unit) }), {
        maxItems: 100,
      }),
    ),
  },
  { title: 'RecipeReplace' },
)
export const Recipe = Type.Object(
  {
    isComposite: Type.Boolean(),
    components: Type.Array(
      Type.Object({
        id: Id,
        componentVariantId: Id,
        quantity: Quantity,
        unit: Unit,
        productId: Id,
        productName: Text(160),
        variantName: Text(80),
        cost: Rupiah,
        soldBy: Words(SOLD_BY),
        ...Timestamps,
      }),
    ),
    derivedCost: DerivedCost,
  },
  { title: 'Recipe' },
)

export type PackIn = Static<typeof PackIn>
export type VariantIn = Static<typeof VariantIn>
export type VariantPatch = Static<typeof VariantPatch>
export type VariantItem = Static<typeof VariantItem>
export type Variant = Static<typeof Variant>
export type ProductIn = Static<typeof ProductIn>
export type ProductPatch = Static<typeof ProductPatch>
export type Product = Static<typeof Product>
export type BulkCategory = Static<typeof BulkCategory>
export type LookupQuery = Static<typeof LookupQuery>
export type Match = Static<typeof Match>
export type RecipeIn = Static<typeof RecipeIn>
export type Recipe = Static<typeof Recipe>
