/** Asking a manager for an approval, in Indonesian. */
export const approvalId = {
  'approval.title': 'Minta persetujuan',
  'approval.text': '{action} perlu disetujui manajer.',
  'approval.approve': 'Setujui',
  'approval.noTill':
    'Persetujuan dengan PIN hanya ada di kasir terdaftar. Minta manajer masuk dan mendaftarkan perangkat ini.',
  'approval.noManager': 'Belum ada manajer dengan PIN. Minta manajer membuat PIN di menu anggota.',
  'approval.void': 'Void atau buang bon yang sudah dibayar',
  'approval.refund': 'Refund',
  'approval.discountAboveBps': 'Diskon sebesar ini',
  'approval.priceChange': 'Harga lain',
  'approval.paidOut': 'Kas keluar',
  'approval.openItem': 'Barang bebas',
  'approval.correctTender': 'Perbaikan pembayaran',
  'approval.waiveService': 'Tanpa biaya layanan',
  'approval.creditOverLimit': 'Kasbon di atas batas',
} as const
