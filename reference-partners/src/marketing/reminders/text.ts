import { escaped, nameForMail } from 'kasir/partner-tools'
import { money } from '../../kit/format.ts'
import type { ReminderCreate } from './schema.ts'

type ReminderText = { subject: string; body: string; html: string }

/** Returns a reminder as text and as HTML. Names in it are untrusted: one line, no link, no markup. */
export function written(
  { to, subject, preview, cart, discountCode }: ReminderCreate,
  { merchant, unsubscribeUrl }: { merchant: string; unsubscribeUrl: string },
): ReminderText {
  const shop = nameForMail(merchant, 'Kasir')
  const greeting = `Halo ${nameForMail(to.name ?? '', 'Kak')},`
  const lead = nameForMail(preview ?? '', 'Your cart is waiting')
  const goods = cart.items.map(({ name, quantity }) => `${quantity} x ${nameForMail(name, '-')}`)
  const sum = `Total: ${money(cart.total, 'IDR')}`
  const code = discountCode ? `Kode: ${nameForMail(discountCode, '-')}` : null
  const lines = [greeting, lead, ...goods, sum, ...(code === null ? [] : [code]), shop]
  const html = lines.map((line) => `<p>${escaped(line)}</p>`).join('\n')
  const stop = 'Berhenti menerima pengingat / unsubscribe'
  return {
    subject: nameForMail(subject, 'You left something behind'),
    body: `${lines.join('\n\n')}\n\n${stop}: ${unsubscribeUrl}\n`,
    html: `<!doctype html><html lang="id"><body>\n${html}\n<p><a href="${escaped(unsubscribeUrl)}">${stop}</a></p>\n</body></html>\n`,
  }
}
