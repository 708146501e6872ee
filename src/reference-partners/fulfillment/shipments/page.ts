import type { Language } from '../../../platform/print/print.ts'
import { escaped, localTime } from '../../kit/format.ts'
import { type Status, waysFrom } from './states.ts'
import type { ShipmentRow } from './store.ts'

const WORDS = {
  id: {
    title: 'Lacak kiriman',
    from: 'Dikirim oleh',
    waybill: 'Nomor resi',
    courier: 'Kurir',
    to: 'Penerima',
    history: 'Riwayat',
    play: 'Ubah status',
    sandbox: 'Kurir uji coba: tidak ada paket yang berpindah. Tombol di bawah menggantikan laporan kurir.',
    status: {
      draft: 'Draf',
      confirmed: 'Penjemputan dikonfirmasi',
      allocated: 'Kurir ditugaskan',
      picking_up: 'Kurir menuju tempat penjemputan',
      picked: 'Paket diambil kurir',
      dropping_off: 'Paket dalam pengantaran',
      delivered: 'Paket diterima',
      on_hold: 'Ditahan sementara',
      rejected: 'Ditolak kurir',
      courier_not_found: 'Kurir tidak ditemukan',
      cancelled: 'Dibatalkan',
      return_in_transit: 'Dalam perjalanan kembali',
      returned: 'Dikembalikan ke pengirim',
      disposed: 'Dimusnahkan',
    },
  },
  en: {
    title: 'Track a parcel',
    from: 'Sent by',
    waybill: 'Waybill',
    courier: 'Courier',
    to: 'Recipient',
    history: 'History',
    play: 'Change the status',
    sandbox:
      'Couriers for trying out: no parcel moves. The buttons below stand in for what a courier reports.',
    status: {
      draft: 'Draft',
      confirmed: 'Pickup confirmed',
      allocated: 'Courier assigned',
      picking_up: 'Courier on the way to the pickup',
      picked: 'Picked up by the courier',
      dropping_off: 'Out for delivery',
      delivered: 'Delivered',
      on_hold: 'On hold',
      rejected: 'Rejected by the courier',
      courier_not_found: 'No courier found',
      cancelled: 'Cancelled',
      return_in_transit: 'On its way back',
      returned: 'Returned to the sender',
      disposed: 'Disposed of',
    },
  },
} as const satisfies Record<Language, { status: Record<Status, string> } & Record<string, unknown>>

export const STYLE = `*{box-sizing:border-box}body{margin:0;background:#f3f4f6;color:#111827;font:17px/1.5 system-ui,sans-serif}
main{max-width:28rem;margin:0 auto;padding:1.25rem;background:#fff;min-height:100vh;overflow-wrap:anywhere}
h1{font-size:1rem;font-weight:500;margin:0;color:#4b5563}h2{font-size:1.0625rem;margin:1.5rem 0 .5rem}
.who{font-size:1.25rem;font-weight:700;margin:0}.state{margin:1rem 0;padding:.75rem 1rem;border-radius:.5rem;background:#e0e7ff;
color:#1e3a8a;font-size:1.25rem;font-weight:700}.delivered{background:#166534;color:#fff}
.cancelled,.rejected,.courier_not_found,.disposed{background:#991b1b;color:#fff}
dl{margin:1rem 0}dt{color:#4b5563}dd{margin:0 0 .5rem;font-weight:600}
ol{margin:0;padding:0 0 0 1.25rem;border-left:3px solid #c7d2fe;list-style:none}li{margin:0 0 .75rem}li time{display:block;color:#4b5563;font-size:.875rem}
button{display:block;width:100%;min-height:3rem;margin:.5rem 0;border:0;border-radius:.5rem;background:#fff;color:#1e3a8a;font:inherit;
font-weight:700;box-shadow:inset 0 0 0 2px #1e3a8a;cursor:pointer}button:focus-visible{outline:4px solid #f59e0b;outline-offset:2px}
small{color:#4b5563}`

/** The first letters of a name: whoever has the address may not be who the parcel is for. */
const masked = (name: string): string =>
  name
    .split(/\s+/)
    .map((word) => `${[...word][0] ?? ''}***`)
    .slice(0, 4)
    .join(' ')

type Shown = ShipmentRow & { merchant: string; courierName: string; courierServiceName: string }

/** The page of a parcel: plain HTML, without a script, as wide as a phone. */
export function trackingPage(shipment: Shown, language: Language): string {
  const words = WORDS[language]
  const { token, status, merchant, waybillId, courierName, courierServiceName, destination } = shipment
  const where = destination.postalCode === null ? '' : `, ${destination.postalCode}`
  const history = shipment.history
    .toReversed()
    .map(
      (entry) =>
        `<li>${words.status[entry.status]}${entry.note === null ? '' : `<br>${escaped(entry.note)}`}<time datetime="${entry.at}">${localTime(entry.at)}</time></li>`,
    )
    .join('\n')
  return `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex"><title>${words.title} ${escaped(waybillId ?? '')}</title><style>${STYLE}</style></head>
<body><main>
<h1>${words.from}</h1><p class="who">${escaped(merchant)}</p>
<p class="state ${status}" role="status">${words.status[status]}</p>
<dl><dt>${words.waybill}</dt><dd>${escaped(waybillId ?? '')}</dd>
<dt>${words.courier}</dt><dd>${escaped(`${courierName} ${courierServiceName}`)}</dd>
<dt>${words.to}</dt><dd>${escaped(masked(destination.contactName) + where)}</dd></dl>
<h2>${words.history}</h2><ol>
${history}
</ol>
${buttons(token, waysFrom(shipment), language)}
<small>${words.sandbox}</small>
</main></body></html>
`
}

function buttons(token: string, ways: readonly Status[], language: Language): string {
  if (ways.length === 0) return ''
  const { play, status } = WORDS[language]
  const forms = ways.map(
    (to) => `<form method="post" action="/track/${token}/${to}"><button>${status[to]}</button></form>`,
  )
  return `<h2>${play}</h2>\n${forms.join('\n')}`
}

const MISSING = {
  id: ['Tidak ditemukan', 'Kiriman ini tidak ada.'],
  en: ['Not found', 'There is no such parcel.'],
} as const

export const missingPage = (language: Language): string => {
  const [title, text] = MISSING[language]
  return `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title}</title><style>${STYLE}</style></head><body><main><p class="who">${title}</p><p>${text}</p></main></body></html>
`
}
