export type BusinessType = 'RETAIL' | 'FNB' | 'PHARMACY' | 'GENERAL'

/** Variant name → price in rupiah. A product with one variant calls it Default. */
type SampleProduct = { name: string; prices: Readonly<Record<string, number>>; hasSugar?: boolean }
type SampleCategory = { category: string; products: readonly SampleProduct[] }

const one = (name: string, price: number): SampleProduct => ({ name, prices: { Default: price } })

/** A few goods to sell in the first minute; the owner changes or removes them later. */
export const SAMPLES: Readonly<Record<BusinessType, readonly SampleCategory[]>> = {
  FNB: [
    {
      category: 'Minuman',
      products: [
        { name: 'Kopi Susu', prices: { Panas: 15_000, Dingin: 18_000 }, hasSugar: true },
        one('Kopi Hitam', 10_000),
        one('Es Teh Manis', 6_000),
        one('Es Jeruk', 9_000),
        one('Air Mineral', 5_000),
      ],
    },
    {
      category: 'Makanan',
      products: [
        one('Nasi Goreng', 25_000),
        one('Mie Goreng', 23_000),
        one('Ayam Geprek', 22_000),
        one('Roti Bakar', 15_000),
      ],
    },
    {
      category: 'Camilan',
      products: [one('Pisang Goreng', 12_000), one('Tahu Isi', 8_000), one('Kerupuk', 3_000)],
    },
  ],
  RETAIL: [
    {
      category: 'Sembako',
      products: [
        { name: 'Beras Premium', prices: { '5 kg': 74_000, '10 kg': 145_000 } },
        one('Minyak Goreng 1 L', 18_500),
        one('Gula Pasir 1 kg', 17_500),
        one('Telur 1 kg', 29_000),
      ],
    },
    {
      category: 'Minuman',
      products: [one('Air Mineral 600 ml', 4_000), one('Teh Botol', 5_500), one('Susu UHT', 7_000)],
    },
    {
      category: 'Rumah Tangga',
      products: [one('Sabun Mandi', 4_500), one('Deterjen 800 g', 21_000), one('Tisu', 9_000)],
    },
  ],
  PHARMACY: [
    {
      category: 'Obat Bebas',
      products: [one('Paracetamol 500 mg', 6_000), one('Obat Batuk Sirup', 18_000), one('Antasida', 8_500)],
    },
    { category: 'Vitamin', products: [one('Vitamin C 500 mg', 25_000), one('Multivitamin', 42_000)] },
    {
      category: 'Alat Kesehatan',
      products: [one('Masker Isi 50', 30_000), one('Plester', 5_000), one('Termometer', 45_000)],
    },
  ],
  GENERAL: [
    {
      category: 'Barang',
      products: [one('Barang A', 10_000), one('Barang B', 25_000), one('Barang C', 50_000)],
    },
    { category: 'Jasa', products: [one('Jasa Standar', 75_000), one('Jasa Cepat', 120_000)] },
  ],
}

export const SUGAR = {
  name: 'Gula',
  minSelect: 1,
  maxSelect: 1,
  modifiers: [
    { name: 'Normal', price: 0 },
    { name: 'Sedikit', price: 0 },
    { name: 'Tanpa gula', price: 0 },
  ],
}
