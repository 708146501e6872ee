import { escaped, type Language } from 'kasir/partner-tools'
import { localTime, money } from '../../kit/format.ts'
import { STYLE } from '../style.ts'
import type { Topup } from './schema.ts'
import type { TopupRow } from './store.ts'

const WORDS = {
  id: {
    title: 'Isi saldo pengiriman',
    for: 'Saldo pengiriman untuk',
    until: 'Bayar sebelum',
    paidAt: 'Dibayar pada',
    pay: 'Bayar',
    cancel: 'Batalkan',
    back: 'Kembali ke toko',
    sandbox: 'Mitra pengiriman uji coba: tidak ada uang yang berpindah.',
    status: {
      open: 'Menunggu pembayaran',
      paid: 'Lunas',
      canceled: 'Dibatalkan',
      expired: 'Waktu pembayaran habis',
    },
  },
  en: {
    title: 'Top up shipping credits',
    for: 'Shipping credits for',
    until: 'Pay before',
    paidAt: 'Paid at',
    pay: 'Pay',
    cancel: 'Cancel',
    back: 'Back to the shop',
    sandbox: 'A fulfillment partner for trying out: no money moves.',
    status: {
      open: 'Waiting for payment',
      paid: 'Paid',
      canceled: 'Canceled',
      expired: 'Time to pay is over',
    },
  },
} as const satisfies Record<Language, unknown>

type TopupPage = Omit<TopupRow, 'status'> & { merchant: string; status: Topup['status'] }

/** The page on which credits are bought: plain HTML, without a script, as wide as a phone. */
export function topupPage(topup: TopupPage, language: Language): string {
  const words = WORDS[language]
  const { token, status, merchant, expiresAt, paidAt, returnUrl } = topup
  const [label, instant] = paidAt === null ? [words.until, expiresAt] : [words.paidAt, paidAt]
  const sum = escaped(money(topup.amount, 'IDR'))
  const buttons = (['pay', 'cancel'] as const).map(
    (verb) =>
      `<form method="post" action="/topup/${token}/${verb}"><button class="${verb}">${words[verb]}</button></form>`,
  )
  return `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex"><title>${words.title} ${sum}</title><style>${STYLE}</style></head>
<body><main>
<h1>${words.for}</h1><p class="who">${escaped(merchant)}</p>
<p class="sum">${sum}</p>
<p class="state ${status}" role="status">${words.status[status]}</p>
<dl><dt>${label}</dt><dd><time datetime="${instant}">${localTime(instant)}</time></dd></dl>
${status === 'open' ? buttons.join('\n') : ''}
${returnUrl === null ? '' : `<a class="back" href="${escaped(returnUrl)}" rel="noreferrer">${words.back}</a>`}
<small>${words.sandbox}</small>
</main></body></html>
`
}
