/** Renaming and deleting tables and floors, in Indonesian. */
export const arrangeId = {
  'edit.table': 'Ubah meja {name}',
  'edit.floor': 'Ubah lantai {name}',
  'edit.save': 'Simpan nama',
  'edit.deleteTable': 'Hapus meja',
  'edit.deleteFloor': 'Hapus lantai',
  'edit.deleteTableText':
    'Meja hilang dari denah. Bon yang masih terbuka di sana tetap bisa diubah dan dibayar.',
  'edit.deleteFloorText': 'Hanya lantai tanpa meja yang dapat dihapus.',
  'edit.hasTables':
    'Lantai ini masih punya meja, atau meja yang sudah dihapus masih tercatat di penjualan. Ganti saja namanya.',
} as const
