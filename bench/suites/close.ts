import { query, settle } from '../lib/database.ts'
import { fixed, median, table, whole } from '../lib/figures.ts'
import { writeHistory } from '../lib/history.ts'
import { load } from '../lib/sales-run.ts'
import { accountId, outletId } from '../lib/sales-shop.ts'
import type { Service } from '../lib/service.ts'
import { alternate, type Options, type Report, ratioOf, type Suite } from '../lib/suite.ts'

const SALES = 100_000
const TILLS = 8
const WARM_UP = 500

/** Closes a shift of a hundred thousand sales while the shop sells. */
export const close: Suite = {
  name: 'close',
  about: 'the close of a shift with 100,000 sales, and the tills meanwhile',
  uses: 'shops',
  measure,
}

async function measure({ seconds, rounds, quick, shops, say }: Options): Promise<Report> {
  const count = quick ? 5_000 : SALES
  const [all, service] = [await shops.get(), await shops.service()]
  // Tills of the same shop; the shift is that of another cashier.
  const bench = { ...all, keys: all.keys.slice(0, 1) }
  const cashier = await hire(service, bench.keys[0] ?? '')
  const { url } = bench.database
  const shift = await openShift(service, cashier)
  await writeHistory(bench.database, [{ workspace: 1, sales: count, perDay: count, shiftId: shift }])
  await settle(url)
  say(`${whole(count)} sales written`)
  // Its connections make their plans for a shop that has sold.
  await load(bench, service, { limit: { count: WARM_UP } })
  const closes: number[] = []
  const closeOnce = async () => {
    const took = await closeShift(service, cashier, shift, count)
    closes.push(took)
    await query(url, REOPEN, [accountId(1), shift])
  }
  await closeOnce()
  closes.splice(0)
  const sell = () => load(bench, service, { connections: TILLS, limit: { seconds } })
  const turns = await alternate(
    rounds,
    () => beside(sell, closeOnce),
    () => sell(),
  )
  const [meanwhile, without] = [turns.a, turns.b].map((side) => side.map(({ p99 }) => p99))
  const slowest = Math.max(...closes) / 1000
  say(`slowest of ${closes.length} closes ${fixed(slowest)} s, median ${fixed(median(closes) / 1000)} s`)
  return {
    title: 'Closing a long shift',
    text: [
      `A cashier's shift of ${whole(count)} sales and as many payments is closed and opened again, over and over, while ${TILLS} tills of the same shop sell.`,
      table(
        ['closes', 'median, s', 'slowest, s', 'p99 of a sale meanwhile, ms', 'p99 without, ms'],
        [
          [
            whole(closes.length),
            fixed(median(closes) / 1000),
            fixed(slowest),
            fixed(median(meanwhile ?? []), 1),
            fixed(median(without ?? []), 1),
          ],
        ],
      ),
    ].join('\n\n'),
    rows: [
      {
        what: `close of a shift with ${whole(count)} sales, s`,
        measured: `${closes.length} closes`,
        yardstick: '',
        value: median(closes) / 1000,
        bar: { atMost: 2 },
      },
      {
        what: 'p99 of a sale while shifts are closed over without',
        measured: `${fixed(median(meanwhile ?? []), 1)} ms`,
        yardstick: `${fixed(median(without ?? []), 1)} ms`,
        value: ratioOf(meanwhile ?? [], without ?? []),
        bar: { atMost: 2 },
      },
    ],
  }
}

const REOPEN = `update shifts set status = 'OPEN', counted_cash = null, expected_cash = null, difference = null, summary = null,
  closed_at = null, closed_by = null where account_id = $1 and id = $2`

/** Closes one shift after the other for as long as the tills sell. */
async function beside<T>(sell: () => Promise<T>, closeOnce: () => Promise<void>): Promise<T> {
  let isSelling = true
  const closing = (async () => {
    while (isSelling) await closeOnce()
  })()
  const sold = await sell().finally(() => {
    isSelling = false
  })
  await closing
  return sold
}

type Shift = { shift: { id: string; summary: { salesCount: number } } }

async function post<T>({ address }: Service, key: string, path: string, body: object): Promise<T> {
  const answer = await fetch(`${address}/api/v1/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${path} answered ${text}`)
  return (JSON.parse(text) as { data: T }).data
}

const hire = async (service: Service, key: string) =>
  (await post<{ key: string }>(service, key, 'api-keys', { name: 'Till whose drawer is counted' })).key

const openShift = async (service: Service, key: string) =>
  (await post<Shift>(service, key, 'shifts/open', { outletId: outletId(1, 1), openingFloat: 0 })).shift.id

/** Milliseconds. The figures must contain at least the sales that the shift had before. */
async function closeShift(service: Service, key: string, id: string, atLeast: number): Promise<number> {
  const began = performance.now()
  const { shift } = await post<Shift>(service, key, `shifts/${id}/close`, { countedCash: 0 })
  const took = performance.now() - began
  if (shift.summary.salesCount < atLeast)
    throw new Error(`the closed shift counts ${shift.summary.salesCount} sales`)
  return took
}
