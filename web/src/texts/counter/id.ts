/** Texts of rarely used parts of the register in Indonesian. */
export const counterId = {
  'shift.unsent':
    '{n} penjualan belum terkirim, tunai {cash}. Uang itu ada di laci tetapi belum dihitung di "Seharusnya". Kirim dulu, lalu tutup shift.',
  'shift.closeAnyway': 'Tetap tutup shift',
  channel: 'Saluran',
  'channel.none': 'Langsung',
  'outlet.sellFor': 'Jual untuk {name}',
  'modifiers.gone': 'Tidak dijual lagi',
  'label.NO_WEIGHT': 'Label {goods} tidak berisi berat. Timbang lagi.',
  'label.NO_PRICE':
    '{goods} belum punya harga per kilogram. Isi harganya di Produk, atau cetak label berisi berat.',
  'label.TOO_HEAVY': 'Label {goods} lebih dari 100 kg. Timbang lagi, atau ketik beratnya.',
  'label.NOT_FOUND':
    'Tidak ada barang timbang dengan kode {goods}. Isi kode itu sebagai barcode atau SKU barangnya di Produk.',
  'unanswered.keep': 'Simpan di Bon, layani berikutnya',
  'unanswered.entry': 'belum dijawab',
  'unanswered.kept': '{n} penjualan belum dijawab. Buka dari Bon, lalu tekan Coba lagi.',
  'expired.text':
    'Penjualan ini dikirim {when} tetapi tidak ada jawaban. Karena sudah lama, mengirim ulang bisa mencatatnya dua kali. Periksa di Penjualan dan bon terbuka.',
  'expired.look': 'Lihat penjualan',
  'expired.found': 'Sudah tercatat',
  'expired.missing': 'Belum tercatat',
  'cart.sold':
    'Keranjang ini sudah dijual di tab lain, jadi tidak dicatat lagi. Untuk penjualan lain, masukkan barangnya lagi.',
  'outbox.keyUsed':
    'Penjualan lain dari keranjang yang sama sudah tercatat. Cari di Penjualan: bila sama, sisihkan yang ini; bila bukan, ubah dan kirim.',
  'done.otherTotal':
    'Total berubah saat dibayar, menjadi {total}. Beri tahu pelanggan dan berikan kembalian {change}.',
  full: 'Tidak ditambahkan: satu penjualan paling banyak 500 baris dan Rp 250 miliar. Periksa jumlah dan harganya, atau jual dalam beberapa penjualan.',
  failed:
    'Keranjang ini tidak bisa ditampilkan. Coba lagi. Bila tetap gagal, kosongkan keranjang lalu masukkan barangnya lagi.',
  'openItem.tooDear':
    'Harga satuan paling tinggi {max}. Periksa harganya, atau bagi menjadi beberapa barang.',
  taken: 'Sudah dibayar',
  'taken.remove': 'Hapus {tender} {amount}',
  'taken.over':
    'Pembayaran lebih {amount} dari total. Hapus pembayaran dan kembalikan uangnya, atau tambah barang.',
  'taken.overBill':
    'Yang sudah dibayar untuk bon ini lebih {amount} dari totalnya. Kembalikan barang yang dihapus ke bon.',
  'outbox.title': 'Penjualan di perangkat ini',
  'outbox.online': 'Layanan terhubung. Penjualan dikirim satu per satu.',
  'outbox.offline':
    'Layanan tidak terhubung. Berjualanlah seperti biasa; semuanya dikirim saat jaringan kembali.',
  'outbox.empty': 'Semua sudah terkirim',
  'outbox.emptyHint': 'Tidak ada penjualan yang menunggu di perangkat ini.',
  'outbox.unsent': '{n} belum terkirim',
  'outbox.aside': 'Disisihkan',
  carry: 'Bawa',
  'carry.text':
    'Simpan penjualan yang belum terkirim sebagai berkas, lalu ambil di kasir lain dari usaha ini. Diambil dua kali tetap tercatat sekali.',
  'carry.save': 'Simpan berkas',
  'carry.take': 'Ambil berkas',
  'carry.file': 'Berkas penjualan',
  'carry.taken': '{n} penjualan diambil.',
  'carry.notCarry': 'Berkas ini bukan penjualan dari Kasir. Pilih berkas lain.',
  'carry.damaged': 'Berkas ini rusak. Simpan lagi di perangkat asalnya.',
  'carry.otherWorkspace': 'Berkas ini milik usaha lain ({business}). Masuk ke usaha itu untuk mengambilnya.',
  'outbox.absent': 'Menunggu {name} atau manajer masuk di perangkat ini.',
  'outbox.asideReason': 'Alasan: {reason}',
  'outbox.cartFirst': 'Bayar atau tahan keranjang dulu untuk mengubah penjualan ini.',
  'outbox.change': 'Ubah dan kirim',
  'outbox.sendAgain': 'Kirim lagi',
  'outbox.setAside': 'Sisihkan',
  'outbox.setAsideNow': 'Sisihkan penjualan ini',
} as const
