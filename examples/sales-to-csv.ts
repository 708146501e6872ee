/** The completed sales of a day as a table, yesterday's unless another day is named: `sales-to-csv.ts 2026-03-01 > sales.csv`. */
import { createKasir } from 'kasir-client'

const { KASIR_URL = 'http://127.0.0.1:3000', KASIR_API_KEY } = process.env
if (KASIR_API_KEY === undefined) throw new Error('Set KASIR_API_KEY to a key of your workspace')
const kasir = createKasir({ baseUrl: KASIR_URL, apiKey: KASIR_API_KEY })

const DAY_MS = 86_400_000
/** The calendar day of an instant where the outlet is: Swedes write days as ISO 8601 does. */
const dayOf = (ms: number, timeZone: string) => new Intl.DateTimeFormat('sv-SE', { timeZone }).format(ms)
const dayAfter = (day: string) => new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10)
/** Quotes keep a comma, a quote or a line break in its cell. */
const cell = (value: string | number | null) => `"${String(value ?? '').replaceAll('"', '""')}"`

console.log('outlet,number,completedAt,total')
const { outlets } = await kasir.outlets.list()
for (const { id: outletId, name, timezone } of outlets) {
  const day = process.argv[2] ?? dayOf(Date.now() - DAY_MS, timezone)
  // From midnight on and before the next one, by the clock of the outlet.
  const window = { completedFrom: day, completedTo: dayAfter(day) }
  for await (const sale of kasir.sales.all({ outletId, ...window, status: 'COMPLETED', limit: 100 })) {
    console.log([name, sale.number, sale.completedAt, sale.total].map(cell).join(','))
  }
}
