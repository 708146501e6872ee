/** A page whose module is off, or whose partner does not answer, in Indonesian. */
export const gateId = {
  'gate.payment': 'Modul Pembayaran mati',
  'gate.fulfillment': 'Modul Pengiriman mati',
  'gate.marketing': 'Modul Pemasaran mati',
  'gate.text': 'Halaman ini memerlukan modul itu. Data yang sudah ada tetap tersimpan.',
  'gate.ask': 'Minta manajer atau pemilik usaha menyalakannya.',
  'gate.open': 'Buka pengaturan modul',
  'gate.away': 'Mitra tidak menjawab. Coba lagi beberapa menit lagi, atau periksa modulnya.',
  'gate.awayWrite':
    'Mitra tidak memberi jawaban yang pasti. Tekan sekali lagi untuk mencoba: permintaan yang sama tidak dijalankan dua kali.',
  refused: 'Mitra menolak permintaan ini. Periksa isinya, atau hubungi mitra.',
  'refused.value': 'Mitra menolak salah satu isian. Periksa isian, lalu kirim lagi.',
  'refused.missing': 'Mitra tidak menemukan data ini. Muat ulang halaman, lalu pilih lagi.',
  'refused.conflict': 'Data ini sudah berubah di mitra. Muat ulang halaman, lalu coba lagi.',
  'refused.limit': 'Usaha ini sudah mencapai batas di mitra. Minta mitra menaikkan batas atau paketnya.',
  'refused.forbidden': 'Mitra tidak mengizinkan tindakan ini. Hubungi mitra.',
  'refused.busy': 'Terlalu banyak permintaan ke mitra. Tunggu semenit, lalu coba lagi.',
  'refused.quotation': 'Pesan mitra: “{text}”',
} as const
