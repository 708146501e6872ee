/** Credit of customers at the register and in the shift, in Indonesian. Only the parts that show credit load it. */
export const creditId = {
  left: 'Sisa batas {left} dari {limit}',
  over: 'Batas tersisa {left}. Bayar sisanya dengan cara lain, atau minta manajer menaikkan batas.',
  offline: 'Kasbon memerlukan koneksi: batas pelanggan diperiksa di server.',
  take: 'Kasbon {amount}',
  dueDate: 'Jatuh tempo',
  paid: 'Bayar kasbon',
} as const
