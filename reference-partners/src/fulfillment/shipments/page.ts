import { escaped, type Language } from 'kasir/partner-tools'
import { localTime } from '../../kit/format.ts'
import { STYLE } from '../style.ts'
import { nextStatuses, type Status } from './states.ts'
import type { ShipmentRow } from './store.ts'

const WORDS = {
  id: {
    title: 'Lacak kiriman',
    from: 'Dikirim oleh',
    waybill: 'Nomor resi',
    courier: 'Kurir',
    to: 'Penerima',
    history: 'Riwayat',
    play: 'Laporan kurir (uji coba)',
    sandbox: 'Kurir uji coba: tidak ada paket yang berpindah.',
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
    play: 'Report as the courier (sandbox)',
    sandbox: 'Couriers for trying out: no parcel moves.',
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

/** Shows only the first letters of a name, because anyone with the link can open the page. */
const masked = (name: string): string =>
  name
    .split(/\s+/)
    .map((word) => `${[...word][0] ?? ''}***`)
    .slice(0, 4)
    .join(' ')

type TrackingPage = ShipmentRow & { merchant: string; courierName: string; courierServiceName: string }

/** The page of a parcel: plain HTML, without a script, as wide as a phone. */
export function trackingPage(shipment: TrackingPage, language: Language): string {
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
${buttons(token, nextStatuses(shipment), language)}
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
