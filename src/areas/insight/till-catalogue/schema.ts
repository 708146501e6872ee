import { Type } from 'typebox'
import { APPROVALS, type ApprovalAction } from '../../../core/approvals.ts'
import { ROUNDING_MODES } from '../../../core/cash-rounding.ts'
import { SERVICE_CHARGE_BASES } from '../../../core/service-charge.ts'
import { SOLD_BY } from '../../../core/weights.ts'
import { Amount, Id, Nullable, Words } from '../../../platform/http/shapes.ts'
import { CATALOGUE_TYPES, ROLES } from '../../../platform/scope.ts'
import { PriceList, Promotion } from '../../selling/pricing/index.ts'

const { createdAt: _created, updatedAt: _updated, ...PRICE_LIST } = PriceList.properties
const PriceListOfTill = Type.Object(PRICE_LIST, { title: 'TillPriceList' })

const {
  code: _code,
  usageLimit: _limit,
  usedCount: _used,
  createdAt: _start,
  updatedAt: _change,
  ...PROMOTION
} = Promotion.properties
const PromotionOfTill = Type.Object(PROMOTION, { title: 'TillPromotion' })

const Text = Type.String()
const SortOrder = Type.Integer({ description: 'Lists are not sorted: show them by this, then by name' })

const Approvals = Type.Object(
  Object.fromEntries(
    (Object.keys(APPROVALS) as ApprovalAction[]).map((action) => [
      action,
      APPROVALS[action].kind === 'limit' ? Nullable(Type.Integer()) : Type.Boolean(),
    ]),
  ),
)

export const TillCatalogue = Type.Object(
  {
    version: Type.String({ description: 'Send it as `since` to read what changed after this answer' }),
    isWhole: Type.Boolean({ description: 'false: the lists have only what changed' }),
    outlet: Type.Object({
      id: Id,
      name: Text,
      address: Nullable(Text),
      phone: Nullable(Text),
      timezone: Text,
      taxRateBps: Type.Integer(),
      taxInclusive: Type.Boolean(),
      taxLabel: Text,
      serviceChargeBps: Type.Integer(),
      serviceChargeOrderTypes: Type.Array(Words(['DINE_IN', 'TAKEAWAY', 'DELIVERY'])),
      serviceChargeBase: Words(SERVICE_CHARGE_BASES),
      serviceChargeTaxable: Type.Boolean(),
      cashRounding: Type.Object({
        step: Type.Integer({ description: 'Whole rupiah; 0 does not round' }),
        mode: Words(ROUNDING_MODES),
      }),
      receiptHeader: Nullable(Text),
      receiptFooter: Nullable(Text),
      isActive: Type.Boolean(),
    }),
    settings: Type.Object({
      businessName: Text,
      businessType: Text,
      currency: Text,
      negativeStock: Words(['ALLOW', 'BLOCK']),
      openItems: Type.Boolean(),
      expenseCategories: Type.Array(Text),
      loyaltyRupiahPerPoint: Type.Integer(),
      transferBankName: Nullable(Text),
      transferBankAccountNumber: Nullable(Text),
      transferBankAccountHolder: Nullable(Text),
      npwp: Nullable(Text),
      receiptThanks: Nullable(Text),
      logoUrl: Nullable(Text),
      approvals: Approvals,
      scaleBarcodes: Type.Array(
        Type.Object({
          prefix: Text,
          itemDigits: Type.Integer(),
          valueDigits: Type.Integer(),
          value: Words(['WEIGHT', 'PRICE']),
        }),
      ),
    }),
    categories: Type.Array(
      Type.Object({ id: Id, name: Text, sortOrder: SortOrder, station: Nullable(Text) }),
    ),
    products: Type.Array(
      Type.Object({
        id: Id,
        name: Text,
        categoryId: Nullable(Id),
        kind: Words(['GOODS', 'SERVICE']),
        trackStock: Type.Boolean(),
        requiresBatch: Type.Boolean(),
        taxRateBps: Nullable(Type.Integer({ description: 'null: the rate of the outlet' })),
        imageUrl: Nullable(Text),
        station: Nullable(Text),
        modifierGroupIds: Type.Array(Id),
      }),
    ),
    variants: Type.Array(
      Type.Object({
        id: Id,
        productId: Id,
        name: Text,
        sku: Nullable(Text),
        barcodes: Type.Array(Text),
        price: Amount,
        soldBy: Words(SOLD_BY),
        packs: Type.Array(
          Type.Object({
            id: Id,
            name: Text,
            factor: Type.Integer(),
            barcode: Nullable(Text),
            price: Nullable(Type.Integer({ description: 'null: factor × the price of the variant' })),
          }),
        ),
        sortOrder: SortOrder,
        isComposite: Type.Boolean(),
        isAvailable: Type.Boolean({
          description: 'false for a composite without components, or with one that is not on sale',
        }),
      }),
    ),
    modifierGroups: Type.Array(
      Type.Object({
        id: Id,
        name: Text,
        minSelect: Type.Integer(),
        maxSelect: Nullable(Type.Integer()),
        modifiers: Type.Array(Type.Object({ id: Id, name: Text, price: Amount, sortOrder: SortOrder })),
      }),
    ),
    floors: Type.Array(Type.Object({ id: Id, name: Text, sortOrder: SortOrder })),
    tables: Type.Array(
      Type.Object({
        id: Id,
        floorId: Id,
        label: Text,
        zone: Nullable(Text),
        seats: Nullable(Type.Integer()),
        sortOrder: SortOrder,
      }),
    ),
    priceLists: Type.Array(PriceListOfTill, {
      description: 'Active lists that include the outlet, in no order',
    }),
    promotions: Type.Array(PromotionOfTill, {
      description: 'Active promotions without a code that include the outlet, in no order',
    }),
    members: Type.Array(Type.Object({ id: Id, name: Text, role: Words(ROLES) }), {
      description: 'Members with a PIN',
    }),
    removed: Type.Array(Type.Object({ type: Words(CATALOGUE_TYPES), id: Id }), {
      description: 'Records to forget. A product takes its variants with it. Empty in a whole answer',
    }),
  },
  { title: 'TillCatalogue' },
)

export const CatalogueQuery = Type.Object({
  outletId: Id,
  since: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 40,
      description: '`version` of an earlier answer; without it the whole catalogue',
    }),
  ),
})
