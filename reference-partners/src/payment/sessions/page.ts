import { escaped, type Language } from 'kasir/partner-tools'
import { localTime, money } from '../../kit/format.ts'
import type { SessionRow } from './store.ts'

const WORDS = {
  id: {
    title: 'Pembayaran',
    to: 'Bayar kepada',
    until: 'Bayar sebelum',
    paidAt: 'Dibayar pada',
    scan: 'Pindai dengan aplikasi pembayaran Anda',
    account: 'Virtual account',
    pay: 'Bayar',
    fail: 'Gagalkan',
    back: 'Kembali ke toko',
    sandbox: 'Mitra pembayaran uji coba: tidak ada uang yang berpindah.',
    status: {
      open: 'Menunggu pembayaran',
      completed: 'Lunas',
      expired: 'Waktu pembayaran habis',
      canceled: 'Dibatalkan oleh toko',
      failed: 'Pembayaran gagal',
    },
  },
  en: {
    title: 'Payment',
    to: 'Pay to',
    until: 'Pay before',
    paidAt: 'Paid at',
    scan: 'Scan with your payment app',
    account: 'Virtual account',
    pay: 'Pay',
    fail: 'Let it fail',
    back: 'Back to the shop',
    sandbox: 'A payment partner for trying out: no money moves.',
    status: {
      open: 'Waiting for payment',
      completed: 'Paid',
      expired: 'Time to pay is over',
      canceled: 'Canceled by the shop',
      failed: 'Payment failed',
    },
  },
} as const satisfies Record<Language, unknown>

export const STYLE = `*{box-sizing:border-box}body{margin:0;background:#f3f4f6;color:#111827;font:17px/1.5 system-ui,sans-serif}
main{max-width:26rem;margin:0 auto;padding:1.25rem;background:#fff;min-height:100vh;overflow-wrap:anywhere}
h1{font-size:1rem;font-weight:500;margin:0;color:#4b5563}.who{font-size:1.25rem;font-weight:700;margin:0}
.sum{font-size:clamp(1.25rem,8vw,2rem);white-space:nowrap;font-weight:700;margin:.75rem 0 0;font-variant-numeric:tabular-nums}
.state{display:inline-block;margin:.5rem 0;padding:.25rem .75rem;border-radius:1rem;background:#e5e7eb;font-weight:600}
.completed{background:#166534;color:#fff}.failed,.expired,.canceled{background:#991b1b;color:#fff}
figure{margin:1rem 0;text-align:center}figure img{width:min(18rem,100%);height:auto;image-rendering:pixelated}
.va{font-size:1.5rem;font-weight:700;letter-spacing:.05em;margin:0}dl{margin:1rem 0}dt{color:#4b5563}dd{margin:0 0 .5rem}
button,.back{display:block;width:100%;min-height:3.25rem;margin:.75rem 0;border:0;border-radius:.5rem;font:inherit;font-weight:700;
text-align:center;line-height:3.25rem;text-decoration:none;cursor:pointer}.pay{background:#166534;color:#fff}
.fail{background:#fff;color:#991b1b;box-shadow:inset 0 0 0 2px #991b1b}.back{background:#1d4ed8;color:#fff}
button:focus-visible,.back:focus-visible{outline:4px solid #f59e0b;outline-offset:2px}small{color:#4b5563}`

type PaymentPage = Pick<
  SessionRow,
  | 'token'
  | 'amount'
  | 'currency'
  | 'method'
  | 'description'
  | 'returnUrl'
  | 'qrString'
  | 'vaNumber'
  | 'vaBank'
> & { merchant: string; status: SessionRow['status']; expiresAt: string; paidAt: string | null }

/** The page a payer pays on: plain HTML, without a script, as wide as a phone. */
export function hostedPage(session: PaymentPage, language: Language): string {
  const words = WORDS[language]
  const { status, amount, currency, merchant, description, expiresAt, paidAt } = session
  const when =
    paidAt === null
      ? `<dt>${words.until}</dt><dd><time datetime="${expiresAt}">${localTime(expiresAt)}</time></dd>`
      : `<dt>${words.paidAt}</dt><dd><time datetime="${paidAt}">${localTime(paidAt)}</time></dd>`
  return `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex"><title>${words.title} ${escaped(money(amount, currency))}</title><style>${STYLE}</style></head>
<body><main>
<h1>${words.to}</h1><p class="who">${escaped(merchant)}</p>
${description === null ? '' : `<p>${escaped(description)}</p>`}
<p class="sum">${escaped(money(amount, currency))}</p>
<p class="state ${status}" role="status">${words.status[status]}</p>
${status === 'open' ? renderPaymentMethod(session, language) : ''}
<dl>${when}</dl>
${status === 'open' ? buttons(session.token, language) : ''}
${session.returnUrl === null ? '' : `<a class="back" href="${escaped(session.returnUrl)}" rel="noreferrer">${words.back}</a>`}
<small>${words.sandbox}</small>
</main></body></html>
`
}

function renderPaymentMethod({ token, qrString, vaNumber, vaBank }: PaymentPage, language: Language): string {
  const words = WORDS[language]
  if (qrString !== null)
    return `<figure><img src="/pay/${token}/qr.svg" alt="QRIS" width="288" height="288"><figcaption>${words.scan}</figcaption></figure>`
  if (vaNumber === null) return ''
  const grouped = vaNumber.replaceAll(/(\d{4})(?=\d)/g, '$1 ')
  return `<p>${words.account} ${escaped(vaBank ?? '')}</p><p class="va">${grouped}</p>`
}

const buttons = (token: string, language: Language) =>
  (['pay', 'fail'] as const)
    .map(
      (verb) =>
        `<form method="post" action="/pay/${token}/${verb}"><button class="${verb}">${WORDS[language][verb]}</button></form>`,
    )
    .join('\n')

const MISSING = {
  id: ['Tidak ditemukan', 'Alamat pembayaran ini tidak ada.'],
  en: ['Not found', 'There is no such payment.'],
} as const

export const missingPage = (language: Language): string => {
  const [title, text] = MISSING[language]
  return `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title}</title><style>${STYLE}</style></head><body><main><p class="who">${title}</p><p>${text}</p></main></body></html>
`
}
