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
} as const
