import type { Sale } from 'kasir-client'
import type { OutboxRow } from '../../offline/outbox-row.ts'
import { grossOf, lineDiscountOf } from '../../selling/cart-totals.ts'
import { quantityText } from '../../selling/quantity.ts'
import type { Translate } from '../../texts/texts.ts'
import { formatAmount, formatRupiah } from '../../ui/rupiah.ts'

type Message = {
  business: string
  outlet: string
  number: string
  goods: readonly { quantity: string; name: string; amount: number }[]
  total: number
}

/** The receipt as a message: shop, goods, total. */
const messageOf = ({ business, outlet, number, goods, total }: Message, t: Translate): string =>
  [
    business,
    outlet,
    number,
    '',
    ...goods.map(({ quantity, name, amount }) => `${quantity} ${name} ${formatAmount(amount)}`),
    '',
    `${t('total')} ${formatRupiah(total)}`,
  ].join('\n')

/** "2 Strip Paracetamol": the quantity of an item with a pack counts packs. */
const nameWithPack = (name: string, pack: { name: string } | null | undefined) =>
  pack ? `${pack.name} ${name}` : name

export function messageOfSale(sale: Sale, business: string, t: Translate): string {
  const goods = sale.items
    .filter(({ isActive }) => isActive)
    .map(({ quantity, pack, soldBy, productName, lineTotal }) => ({
      quantity: quantityText({ quantity, pack, soldBy: soldBy ?? 'UNIT' }),
      name: nameWithPack(productName, pack),
      amount: lineTotal,
    }))
  return messageOf({ business, outlet: sale.outlet.name, number: sale.number, goods, total: sale.total }, t)
}

export function messageOfRow(row: OutboxRow, business: string, t: Translate): string {
  const goods = row.cart.lines.map((line) => ({
    quantity: quantityText(line),
    name: nameWithPack(line.name, line.pack),
    amount: grossOf(line) - lineDiscountOf(line),
  }))
  return messageOf({ business, outlet: row.outletName, number: row.ref, goods, total: row.receipt.total }, t)
}
