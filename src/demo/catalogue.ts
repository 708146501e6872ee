/** The catalogue of the demo: a café with recipes, a neighbourhood shop with barcodes and scales, a pharmacy with batches. */
import type { DemoOutlet } from './outlets.ts'

export type DemoVariant = {
  name?: string
  sku: string
  price: number
  cost: number
  barcode?: string
  /** WEIGHT: `price` and `cost` are for a kilogram, `stock` and `reorderPoint` are grams. */
  soldBy?: 'WEIGHT'
  /** A larger size and its price. */
  pack?: { name: string; factor: number; price: number; barcode: string }
  /** Units in stock on the first morning, and units per supplier delivery. */
  stock?: number
  reorderPoint?: number
  /** SKU of a component → quantity per sold unit, in the component's unit. */
  recipe?: Readonly<Record<string, number>>
  /** Its share of orders, relative to the other products of its outlet. */
  weight: number
}

export type ModifierChoice = { name: string; price: number; modifierId: string }
/** The fields of a variant that a till uses. */
export type Ware = DemoVariant & {
  variantId: string
  packId: string | null
  modifiers: readonly (readonly ModifierChoice[])[]
  requiresBatch: boolean
}
export type DemoProduct = {
  outlet: DemoOutlet
  name: string
  category: string
  kind?: 'GOODS' | 'SERVICE'
  trackStock?: boolean
  requiresBatch?: boolean
  station?: string
  modifiers?: readonly string[]
  variants: readonly DemoVariant[]
}

export const CATEGORIES: readonly { name: string; station?: string }[] = [
  { name: 'Kopi', station: 'Bar' },
  { name: 'Non-kopi', station: 'Bar' },
  { name: 'Makanan', station: 'Dapur' },
  { name: 'Roti & kue' },
  { name: 'Bahan baku' },
  { name: 'Minuman' },
  { name: 'Camilan' },
  { name: 'Sembako' },
  { name: 'Rumah tangga' },
  { name: 'Buah & sayur' },
  { name: 'Obat bebas' },
  { name: 'Vitamin' },
  { name: 'Alat kesehatan' },
]

export const MODIFIERS = [
  {
    name: 'Gula',
    minSelect: 1,
    maxSelect: 1,
    items: [
      ['Normal', 0],
      ['Sedikit', 0],
      ['Tanpa gula', 0],
    ],
  },
  {
    name: 'Tambahan',
    minSelect: 0,
    maxSelect: 3,
    items: [
      ['Extra shot', 8000],
      ['Susu oat', 7000],
      ['Boba', 6000],
    ],
  },
  {
    name: 'Level pedas',
    minSelect: 0,
    maxSelect: 1,
    items: [
      ['Tidak pedas', 0],
      ['Sedang', 0],
      ['Pedas', 0],
    ],
  },
] as const satisfies readonly {
  name: string
  minSelect: number
  maxSelect: number
  items: readonly (readonly [string, number])[]
}[]

let counter = 0
/** An EAN-13 from the range that GS1 reserves for use inside a shop, so it matches no real product. */
function barcode(): string {
  counter += 1
  const digits = `20${String(counter).padStart(10, '0')}`
  const sum = digits
    .split('')
    .reduce((total, digit, place) => total + Number(digit) * (place % 2 === 0 ? 1 : 3), 0)
  return `${digits}${(10 - (sum % 10)) % 10}`
}

type DemoRow = Omit<DemoVariant, 'sku' | 'price' | 'cost' | 'weight'> & { weight?: number }
const variant = (
  sku: string,
  price: number,
  cost: number,
  { weight = 5, ...more }: DemoRow = {},
): DemoVariant => ({
  sku,
  price,
  cost,
  weight,
  ...more,
})

type Extra = Omit<DemoProduct, 'outlet' | 'name' | 'category' | 'variants'>
const product =
  (outlet: DemoOutlet, category: string, shared: Extra = {}) =>
  (name: string, variants: readonly DemoVariant[], extra: Extra = {}): DemoProduct => ({
    outlet,
    name,
    category,
    ...shared,
    ...extra,
    variants,
  })

const ingredient = product('cafe', 'Bahan baku')
const coffee = product('cafe', 'Kopi', { trackStock: true, modifiers: ['Gula', 'Tambahan'] })
const drink = product('cafe', 'Non-kopi', { trackStock: true, modifiers: ['Gula'] })
const dish = product('cafe', 'Makanan', { trackStock: false, modifiers: ['Level pedas'] })
const bakery = product('cafe', 'Roti & kue')

/** Hot and iced cost the same to make except for the ice; customers pay more for a large one. */
const cup = (sku: string, price: number, recipe: Readonly<Record<string, number>>, weight: number) => [
  variant(`${sku}-R`, price, 0, { name: 'Regular', recipe: { ...recipe, 'BB-CUP': 1 }, weight }),
  variant(`${sku}-L`, price + 6000, 0, {
    name: 'Large',
    recipe: {
      ...Object.fromEntries(Object.entries(recipe).map(([key, qty]) => [key, Math.ceil(qty * 1.4)])),
      'BB-CUP': 1,
    },
    weight: Math.ceil(weight / 3),
  }),
]

/** Raw materials are counted in grams, millilitres or pieces; customers never order them, so their weight is 0. */
const raw = (sku: string, cost: number, stock: number) => [
  variant(sku, 0, cost, { stock, reorderPoint: Math.floor(stock / 5), weight: 0 }),
]

const CAFE: readonly DemoProduct[] = [
  ingredient('Biji kopi arabika (g)', raw('BB-KOPI', 250, 12_000)),
  ingredient('Susu segar (ml)', raw('BB-SUSU', 20, 60_000)),
  ingredient('Gula aren cair (ml)', raw('BB-AREN', 35, 15_000)),
  ingredient('Cokelat bubuk (g)', raw('BB-COKLAT', 150, 6_000)),
  ingredient('Matcha bubuk (g)', raw('BB-MATCHA', 600, 2_000)),
  ingredient('Daun teh (g)', raw('BB-TEH', 90, 4_000)),
  ingredient('Gelas & tutup (pcs)', raw('BB-CUP', 900, 2_500)),
  coffee('Espresso', [
    variant('KP-ESP', 18_000, 0, { name: 'Single', recipe: { 'BB-KOPI': 9 }, weight: 3 }),
    variant('KP-ESP2', 24_000, 0, { name: 'Double', recipe: { 'BB-KOPI': 18 }, weight: 2 }),
  ]),
  coffee('Americano', cup('KP-AMR', 24_000, { 'BB-KOPI': 18 }, 7)),
  coffee('Cappuccino', cup('KP-CAP', 30_000, { 'BB-KOPI': 18, 'BB-SUSU': 150 }, 9)),
  coffee('Caffè latte', cup('KP-LAT', 32_000, { 'BB-KOPI': 18, 'BB-SUSU': 200 }, 12)),
  coffee(
    'Es kopi susu gula aren',
    cup('KP-ESKS', 26_000, { 'BB-KOPI': 16, 'BB-SUSU': 120, 'BB-AREN': 30 }, 24),
  ),
  coffee('Mocha', cup('KP-MOC', 35_000, { 'BB-KOPI': 18, 'BB-SUSU': 150, 'BB-COKLAT': 15 }, 5)),
  coffee('Kopi tubruk', [variant('KP-TUB', 15_000, 0, { recipe: { 'BB-KOPI': 12 }, weight: 6 })]),
  coffee('V60 single origin', [
    variant('KP-V60G', 35_000, 0, { name: 'Gayo', recipe: { 'BB-KOPI': 15 }, weight: 4 }),
    variant('KP-V60T', 38_000, 0, { name: 'Toraja', recipe: { 'BB-KOPI': 15 }, weight: 3 }),
  ]),
  drink('Matcha latte', cup('NK-MAT', 34_000, { 'BB-MATCHA': 8, 'BB-SUSU': 200 }, 8)),
  drink('Cokelat panas', cup('NK-COK', 30_000, { 'BB-COKLAT': 25, 'BB-SUSU': 200 }, 6)),
  drink('Es teh manis', cup('NK-TEH', 14_000, { 'BB-TEH': 4 }, 12)),
  drink('Teh tarik', cup('NK-TTR', 22_000, { 'BB-TEH': 6, 'BB-SUSU': 100 }, 6)),
  dish('Nasi goreng kampung', [
    variant('MK-NGK', 38_000, 16_000, { name: 'Biasa', weight: 10 }),
    variant('MK-NGKS', 48_000, 22_000, { name: 'Spesial', weight: 5 }),
  ]),
  dish('Mi goreng Jawa', [variant('MK-MGJ', 36_000, 15_000, { weight: 7 })]),
  dish('Soto ayam', [variant('MK-SOT', 34_000, 15_000, { weight: 7 })]),
  dish('Ayam geprek', [variant('MK-GPR', 35_000, 15_000, { weight: 9 })]),
  dish('Pisang goreng', [variant('MK-PIS', 22_000, 8_000, { weight: 9 })], { modifiers: [] }),
  dish('Kentang goreng', [variant('MK-KTG', 25_000, 9_000, { weight: 8 })], { modifiers: [] }),
  bakery('Croissant', [
    variant('RK-CRO', 25_000, 11_000, { name: 'Mentega', stock: 90, reorderPoint: 15, weight: 7 }),
    variant('RK-CROC', 30_000, 13_000, { name: 'Cokelat', stock: 60, reorderPoint: 10, weight: 5 }),
  ]),
  bakery('Banana bread', [variant('RK-BAN', 24_000, 10_000, { stock: 60, reorderPoint: 10, weight: 6 })]),
  bakery('Brownies', [variant('RK-BRO', 22_000, 9_000, { stock: 60, reorderPoint: 10, weight: 5 })]),
  product('cafe', 'Kopi')('Biji kopi 200 g', [
    variant('RK-GAYO', 95_000, 60_000, {
      name: 'Gayo',
      barcode: barcode(),
      stock: 30,
      reorderPoint: 5,
      weight: 2,
    }),
    variant('RK-TORJ', 105_000, 66_000, {
      name: 'Toraja',
      barcode: barcode(),
      stock: 30,
      reorderPoint: 5,
      weight: 1,
    }),
  ]),
  product('cafe', 'Makanan', { kind: 'SERVICE' })('Sewa ruang rapat (jam)', [
    variant('JS-RUANG', 150_000, 0, { weight: 1 }),
  ]),
]

type PackFields = Required<Pick<DemoVariant, 'price' | 'cost' | 'stock' | 'weight'>> &
  Pick<DemoVariant, 'name' | 'pack'>

const packed = (sku: string, { price, cost, stock, ...more }: PackFields) =>
  variant(sku, price, cost, { barcode: barcode(), stock, reorderPoint: Math.floor(stock / 6), ...more })
const box = (name: string, factor: number, price: number) => ({ name, factor, price, barcode: barcode() })

/** Fruit and vegetables by the kilogram. The SKU is the code that the scale prints in its barcodes. */
const weighed = (sku: string, name: string, [price, cost, stock, weight]: [number, number, number, number]) =>
  product('shop', 'Buah & sayur')(name, [
    variant(sku, price, cost, { soldBy: 'WEIGHT', stock, reorderPoint: stock / 4, weight }),
  ])
const water = product('shop', 'Minuman')
const snack = product('shop', 'Camilan')
const staple = product('shop', 'Sembako')
const household = product('shop', 'Rumah tangga')

const SHOP: readonly DemoProduct[] = [
  water('Air mineral', [
    packed('MN-AIR6', {
      price: 4_000,
      cost: 2_600,
      stock: 240,
      weight: 14,
      name: '600 ml',
      pack: box('Dus isi 24', 24, 88_000),
    }),
    packed('MN-AIR15', { price: 7_000, cost: 4_800, stock: 120, weight: 8, name: '1,5 liter' }),
  ]),
  water('Teh botol', [packed('MN-TBT', { price: 5_500, cost: 3_900, stock: 180, weight: 9 })]),
  water('Kopi kaleng', [packed('MN-KKL', { price: 9_000, cost: 6_500, stock: 96, weight: 6 })]),
  water('Susu UHT', [
    packed('MN-UHTC', { price: 7_000, cost: 5_200, stock: 120, weight: 6, name: 'Cokelat 250 ml' }),
    packed('MN-UHTP', { price: 7_000, cost: 5_200, stock: 120, weight: 5, name: 'Plain 250 ml' }),
  ]),
  water('Minuman isotonik', [packed('MN-ISO', { price: 8_000, cost: 5_700, stock: 96, weight: 5 })]),
  snack('Keripik kentang', [
    packed('CM-KKS', { price: 12_000, cost: 8_600, stock: 96, weight: 6, name: 'Sapi panggang' }),
    packed('CM-KKA', { price: 12_000, cost: 8_600, stock: 96, weight: 5, name: 'Original' }),
  ]),
  snack('Keripik singkong balado', [packed('CM-SGK', { price: 15_000, cost: 9_800, stock: 72, weight: 5 })]),
  snack('Biskuit cokelat', [packed('CM-BIS', { price: 10_500, cost: 7_400, stock: 84, weight: 6 })]),
  snack('Wafer keju', [packed('CM-WAF', { price: 9_500, cost: 6_700, stock: 84, weight: 4 })]),
  snack('Cokelat batang', [packed('CM-CKB', { price: 16_000, cost: 11_500, stock: 60, weight: 4 })]),
  snack('Permen jahe', [packed('CM-PRJ', { price: 3_000, cost: 1_700, stock: 200, weight: 4 })]),
  staple('Mi instan', [
    packed('SB-MIG', {
      price: 3_500,
      cost: 2_700,
      stock: 400,
      weight: 16,
      name: 'Goreng',
      pack: box('Dus isi 40', 40, 130_000),
    }),
    packed('SB-MIK', { price: 3_500, cost: 2_700, stock: 300, weight: 11, name: 'Kuah soto' }),
  ]),
  staple('Beras', [
    packed('SB-BR5', { price: 78_000, cost: 68_000, stock: 60, weight: 6, name: '5 kg' }),
    packed('SB-BR10', { price: 152_000, cost: 134_000, stock: 30, weight: 3, name: '10 kg' }),
  ]),
  staple('Minyak goreng', [
    packed('SB-MG1', { price: 19_500, cost: 17_000, stock: 120, weight: 8, name: '1 liter' }),
    packed('SB-MG2', { price: 38_000, cost: 33_500, stock: 80, weight: 6, name: '2 liter' }),
  ]),
  staple('Gula pasir 1 kg', [packed('SB-GUL', { price: 18_500, cost: 16_200, stock: 120, weight: 8 })]),
  staple('Telur 1 kg', [packed('SB-TLR', { price: 30_000, cost: 26_500, stock: 80, weight: 8 })]),
  staple('Tepung terigu 1 kg', [packed('SB-TPG', { price: 13_500, cost: 11_000, stock: 80, weight: 4 })]),
  household('Sabun mandi', [
    packed('RT-SBB', { price: 5_500, cost: 3_900, stock: 120, weight: 4, name: 'Batang' }),
    packed('RT-SBC', { price: 27_000, cost: 20_500, stock: 48, weight: 3, name: 'Cair 450 ml' }),
  ]),
  household('Sampo 170 ml', [packed('RT-SMP', { price: 24_500, cost: 18_500, stock: 60, weight: 3 })]),
  household('Pasta gigi', [packed('RT-PGI', { price: 13_500, cost: 9_800, stock: 72, weight: 4 })]),
  household('Deterjen 800 g', [packed('RT-DTJ', { price: 22_500, cost: 17_500, stock: 72, weight: 4 })]),
  household('Tisu wajah', [packed('RT-TSU', { price: 12_500, cost: 8_700, stock: 96, weight: 4 })]),
  household('Baterai AA isi 2', [packed('RT-BTR', { price: 17_000, cost: 11_500, stock: 48, weight: 2 })]),
  weighed('00101', 'Jeruk medan', [32_000, 24_000, 40_000, 5]),
  weighed('00102', 'Apel fuji', [45_000, 34_000, 30_000, 4]),
  weighed('00103', 'Tomat', [18_000, 12_000, 20_000, 5]),
  weighed('00104', 'Bawang merah', [42_000, 33_000, 24_000, 6]),
  weighed('00105', 'Cabai rawit', [65_000, 48_000, 8_000, 4]),
  product('shop', 'Rumah tangga', { kind: 'SERVICE' })('Jasa antar', [
    variant('JS-ANTAR', 10_000, 0, { weight: 2 }),
  ]),
]

const medicine = product('pharmacy', 'Obat bebas', { requiresBatch: true })
const vitamin = product('pharmacy', 'Vitamin', { requiresBatch: true })
const device = product('pharmacy', 'Alat kesehatan')

const PHARMACY: readonly DemoProduct[] = [
  medicine('Parasetamol 500 mg (strip)', [
    packed('OB-PCT', {
      price: 6_000,
      cost: 3_600,
      stock: 240,
      weight: 12,
      pack: box('Boks isi 10 strip', 10, 55_000),
    }),
  ]),
  medicine('Obat batuk sirup', [
    packed('OB-BTD', { price: 21_000, cost: 14_500, stock: 60, weight: 5, name: 'Dewasa 60 ml' }),
    packed('OB-BTA', { price: 19_500, cost: 13_500, stock: 60, weight: 4, name: 'Anak 60 ml' }),
  ]),
  medicine('Obat maag (strip)', [packed('OB-MAG', { price: 9_500, cost: 6_200, stock: 120, weight: 6 })]),
  medicine('Oralit (sachet)', [packed('OB-ORL', { price: 2_000, cost: 1_000, stock: 200, weight: 4 })]),
  medicine('Minyak kayu putih 60 ml', [
    packed('OB-MKP', { price: 26_500, cost: 19_500, stock: 72, weight: 6 }),
  ]),
  medicine('Antiseptik 60 ml', [packed('OB-ATS', { price: 18_500, cost: 12_500, stock: 60, weight: 4 })]),
  vitamin('Vitamin C 500 mg', [
    packed('VT-C10', { price: 15_000, cost: 9_500, stock: 120, weight: 7, name: 'Strip 10' }),
    packed('VT-C30', { price: 42_000, cost: 27_500, stock: 48, weight: 4, name: 'Botol 30' }),
  ]),
  vitamin('Multivitamin anak', [packed('VT-ANK', { price: 36_000, cost: 24_500, stock: 48, weight: 3 })]),
  device('Masker isi 50', [packed('AK-MSK', { price: 25_000, cost: 15_000, stock: 100, weight: 5 })]),
  device('Termometer digital', [packed('AK-TRM', { price: 48_000, cost: 31_000, stock: 20, weight: 2 })]),
  device('Plester isi 10', [packed('AK-PLS', { price: 8_500, cost: 5_000, stock: 120, weight: 5 })]),
]

export const PRODUCTS: readonly DemoProduct[] = [...CAFE, ...SHOP, ...PHARMACY]
