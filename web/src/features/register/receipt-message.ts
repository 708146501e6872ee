import type { Sale } from 'kasir-client'
import type { Translate } from '../../texts/texts.ts'
import { formatAmount, formatRupiah } from '../../ui/rupiah.ts'

/** The receipt as a message: shop, goods, total. */
export function receiptMessage(sale: Sale, business: string, t: Translate): string {
  const goods = sale.items
    .filter(({ isActive }) => isActive)
    .map(({ quantity, productName, lineTotal }) => `${quantity} ${productName} ${formatAmount(lineTotal)}`)
  return [
    business,
    sale.outlet.name,
    sale.number,
    '',
    ...goods,
    '',
    `${t('total')} ${formatRupiah(sale.total)}`,
  ].join('\n')
}

/** WhatsApp takes a number without its plus, in international form; without one it asks for the receiver. */
export function whatsAppAddress(phone: string | null, text: string): string {
  const digits = (phone ?? '').replaceAll(/\D/g, '').replace(/^0/, '62')
  return `https://wa.me/${digits}?text=${encodeURIComponent(text)}`
}
