/** The outlets of the demo, with their tables, suppliers and customers. */

export type DemoOutlet = 'cafe' | 'shop' | 'pharmacy'

export const OUTLETS = {
  cafe: {
    name: 'Kopi Senja Cikini',
    address: 'Jl. Cikini Raya 21, Jakarta Pusat',
    phone: '021-5550-1201',
    timezone: 'Asia/Jakarta',
    taxRateBps: 1000,
    taxInclusive: false,
    taxLabel: 'PB1',
    receiptHeader: 'Wifi: kopisenja',
    receiptFooter: 'Terima kasih, sampai jumpa lagi',
  },
  shop: {
    name: 'Toko Makmur Tebet',
    address: 'Jl. Tebet Timur 8, Jakarta Selatan',
    phone: '021-5550-1202',
    timezone: 'Asia/Jakarta',
    taxRateBps: 1100,
    taxInclusive: true,
    taxLabel: 'PPN',
    receiptHeader: 'Buka setiap hari 07.00-22.00',
    receiptFooter: 'Barang yang sudah dibeli dapat ditukar dalam 3 hari',
  },
  pharmacy: {
    name: 'Apotek Sehat Makassar',
    address: 'Jl. Pettarani 40, Makassar',
    phone: '0411-555-1203',
    timezone: 'Asia/Makassar',
    taxRateBps: 1100,
    taxInclusive: true,
    taxLabel: 'PPN',
    receiptHeader: 'Apoteker jaga setiap hari',
    receiptFooter: 'Semoga lekas sembuh',
  },
} as const satisfies Record<DemoOutlet, object>

/** What cash is taken out of a drawer for. */
export const EXPENSES = ['Belanja harian', 'Gas dan es batu'] as const

export const CREDIT_LIMIT = 2_000_000
/** Name, phone, and what the customer may owe. */
export const CUSTOMERS: readonly (readonly [name: string, phone: string, creditLimit?: number])[] = [
  ['Ayu Lestari', '0812-5550-0101'],
  ['Budi Santoso', '0813-5550-0102', CREDIT_LIMIT],
  ['Citra Dewi', '0815-5550-0103'],
  ['Dimas Pratama', '0816-5550-0104'],
  ['Eka Wulandari', '0817-5550-0105'],
  ['Fajar Nugroho', '0818-5550-0106'],
  ['Gita Anggraini', '0819-5550-0107'],
  ['Hendra Wijaya', '0821-5550-0108'],
  ['Indah Permata', '0822-5550-0109'],
  ['Joko Susilo', '0823-5550-0110'],
  ['Kartika Sari', '0852-5550-0111'],
  ['Lukman Hakim', '0853-5550-0112'],
]
/** The place of the customer who buys on credit. */
export const OWES = 1

/** Label, seats and map position of the tables on the café's two floors. */
export const FLOORS = [
  {
    name: 'Ruang utama',
    tables: [
      ['A1', 2, 80, 80, 'ROUND'],
      ['A2', 2, 240, 80, 'ROUND'],
      ['A3', 2, 400, 80, 'ROUND'],
      ['A4', 2, 560, 80, 'ROUND'],
      ['A5', 4, 80, 260, 'SQUARE'],
      ['A6', 4, 240, 260, 'SQUARE'],
      ['A7', 4, 400, 260, 'SQUARE'],
      ['A8', 4, 560, 260, 'SQUARE'],
      ['A9', 4, 80, 440, 'SQUARE'],
      ['A10', 6, 240, 440, 'RECT'],
      ['A11', 6, 400, 440, 'RECT'],
      ['A12', 8, 560, 440, 'RECT'],
    ],
  },
  {
    name: 'Teras',
    tables: [
      ['T1', 2, 80, 80, 'ROUND'],
      ['T2', 2, 240, 80, 'ROUND'],
      ['T3', 2, 400, 80, 'ROUND'],
      ['T4', 2, 560, 80, 'ROUND'],
      ['T5', 4, 80, 260, 'SQUARE'],
      ['T6', 4, 240, 260, 'SQUARE'],
      ['T7', 4, 400, 260, 'SQUARE'],
      ['T8', 6, 560, 260, 'RECT'],
    ],
  },
] as const satisfies readonly {
  name: string
  tables: readonly (readonly [string, number, number, number, 'SQUARE' | 'ROUND' | 'RECT'])[]
}[]

export const SUPPLIERS = [
  { outlet: 'cafe', name: 'CV Sumber Kopi Nusantara', contact: 'Pak Rahmat', phone: '021-5550-2201' },
  { outlet: 'shop', name: 'PT Grosir Sejahtera', contact: 'Bu Lina', phone: '021-5550-2202' },
  { outlet: 'pharmacy', name: 'PBF Mitra Farma', contact: 'Pak Andi', phone: '0411-555-2203' },
] as const satisfies readonly { outlet: DemoOutlet; name: string; contact: string; phone: string }[]
