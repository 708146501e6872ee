import { useDevice } from '../../app/device.ts'

const id = {
  title: 'Cetak label',
  which: 'Barang',
  items: 'Pilih barang',
  category: 'Satu kategori',
  changed: 'Yang berubah',
  chosenCategory: 'Kategori',
  since: 'Berubah sejak',
  add: 'Tambah barang',
  copiesOf: 'Jumlah label {name}',
  removeOf: 'Hapus {name}',
  copies: 'Label per barang',
  units: 'Label untuk setiap unit',
  received: 'Yang diterima',
  ordered: 'Yang dipesan',
  design: 'Jenis',
  price: 'Label harga',
  shelf: 'Label rak',
  output: 'Cetak ke',
  pdf: 'PDF',
  printer: 'Printer struk',
  paper: 'Kertas',
  sheet: 'Lembar A4, {n} label ({size} mm)',
  roll: 'Rol label {size} mm',
  first: 'Mulai dari label ke-',
  firstHint: 'Untuk lembar yang sebagian sudah terpakai.',
  onPrinter: 'Printer',
  noPrinter: 'Belum ada printer. Tambahkan di Pengaturan → Printer.',
  make: 'Buat PDF',
  send: 'Cetak',
  open: 'Buka PDF',
  save: 'Simpan PDF',
  queued: '{n} pekerjaan cetak dikirim ke {printer}.',
}
const en: Record<keyof typeof id, string> = {
  title: 'Print labels',
  which: 'Goods',
  items: 'Choose goods',
  category: 'One category',
  changed: 'What changed',
  chosenCategory: 'Category',
  since: 'Changed since',
  add: 'Add goods',
  copiesOf: 'Labels of {name}',
  removeOf: 'Remove {name}',
  copies: 'Labels of each',
  units: 'One label for each unit',
  received: 'Received',
  ordered: 'Ordered',
  design: 'Kind',
  price: 'Price label',
  shelf: 'Shelf label',
  output: 'Print to',
  pdf: 'PDF',
  printer: 'Receipt printer',
  paper: 'Paper',
  sheet: 'A4 sheet, {n} labels ({size} mm)',
  roll: 'Label roll {size} mm',
  first: 'Begin at label',
  firstHint: 'For a sheet that is partly used up.',
  onPrinter: 'Printer',
  noPrinter: 'There is no printer yet. Add one in Settings → Printers.',
  make: 'Make PDF',
  send: 'Print',
  open: 'Open PDF',
  save: 'Save PDF',
  queued: '{n} print jobs were sent to {printer}.',
}

export type LabelTranslate = (
  key: keyof typeof id,
  values?: Readonly<Record<string, string | number>>,
) => string

/** The texts of the dialog, which are loaded with it. */
export function useLabelTexts(): LabelTranslate {
  const texts = useDevice((device) => device.language) === 'en' ? en : id
  return (key, values = {}) =>
    texts[key].replaceAll(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole))
}
