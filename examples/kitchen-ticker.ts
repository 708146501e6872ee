/** What the kitchen has to make, one line for each change, for as long as it runs: `kitchen-ticker.ts [outlet id]`. */
import { createKasir } from 'kasir-client'

const { KASIR_URL = 'http://127.0.0.1:3000', KASIR_API_KEY } = process.env
if (KASIR_API_KEY === undefined) throw new Error('Set KASIR_API_KEY to a key of your workspace')
const kasir = createKasir({ baseUrl: KASIR_URL, apiKey: KASIR_API_KEY })

const { outlets } = await kasir.outlets.list()
const outletId = process.argv[2] ?? outlets[0]?.id
if (outletId === undefined) throw new Error('This workspace has no outlet yet')

const shown = new Map<string, string>()
// The first change after each connect is readAll: what happened meanwhile is not sent again, so the board is read.
for await (const change of kasir.live({ outletId })) {
  if (change.kind === 'change' && change.topic !== 'kds') continue
  const { tickets } = await kasir.kitchen.listTickets({ outletId })
  for (const { id, number, tableLabel, state, items } of tickets) {
    const dishes = items.map((item) => `${item.quantity} ${item.name}`).join(', ')
    const line = `${number} ${tableLabel ?? 'to go'} ${state}: ${dishes}`
    if (shown.get(id) !== line) console.log(line)
    shown.set(id, line)
  }
  const open = new Set(tickets.map(({ id }) => id))
  for (const id of shown.keys()) if (!open.has(id)) shown.delete(id)
}
