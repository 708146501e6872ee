import path from 'node:path'
import { freshDatabase } from './lib/database.ts'
import { fixed, table, whole } from './lib/figures.ts'
import { loadNow, rssOf } from './lib/machine.ts'
import { outletId, priceOf, seedShops, variantId } from './lib/sales-shop.ts'
import { startService } from './lib/service.ts'
import type { Options, Report } from './lib/suite.ts'
import { measureBoards } from './suites/kitchen.ts'
import { benchLookup, LOOKUP_LOAD } from './suites/lookup.ts'
import { measureStreams } from './suites/streams.ts'

/** Goods looked up in a shop of 100,000 variants: six tenths of a bare route at least. */
export async function lookup({ seconds, rounds, say }: Options): Promise<Report> {
  const database = await freshDatabase()
  try {
    const { barcode, search } = await benchLookup(database.url, {
      ...LOOKUP_LOAD,
      seconds: Math.min(seconds, 5),
      rounds,
    })
    say(
      `  barcode: service ${whole(barcode.service)}/s, bare route ${whole(barcode.bare)}/s (load ${loadNow()})`,
    )
    say(`  search: p99 ${fixed(search.p99Large, 1)} ms of 100,000, ${fixed(search.p99Small, 1)} ms of 1,000`)
    return {
      title: 'Looking goods up',
      text: [
        'A shop of 100,000 variants. The bare route is Fastify with one prepared SELECT by the same index; both run in one process with 32 connections. Searches are what cashiers type, four tills at once.',
        table(
          ['', 'service, requests/s', 'bare route, requests/s', 'ratio'],
          [['barcode', whole(barcode.service), whole(barcode.bare), fixed(barcode.ratio)]],
        ),
        table(
          ['', 'p50, ms', 'p99, ms'],
          [
            ['search in 1,000 variants', fixed(search.p50Small, 1), fixed(search.p99Small, 1)],
            ['search in 100,000 variants', fixed(search.p50Large, 1), fixed(search.p99Large, 1)],
          ],
        ),
      ].join('\n\n'),
      verdicts: [
        { what: 'barcode lookup: service / bare route', value: barcode.ratio, bar: 0.6, atLeast: true },
        {
          what: 'text search: p99 at 100,000 / at 1,000 variants',
          value: search.ratio,
          bar: 3,
          atLeast: false,
        },
      ],
    }
  } finally {
    await database.stop()
  }
}

/** What the boards of a full kitchen cost the database: each screen asks anew at every change, so a few ms. */
export async function kitchen({ say }: Options): Promise<Report> {
  const database = await freshDatabase()
  try {
    const figures = await measureBoards(database.url)
    for (const { query, ms } of figures) say(`  ${query}: ${fixed(ms)} ms (load ${loadNow()})`)
    const worst = Math.max(...figures.map(({ ms }) => ms))
    return {
      title: 'A full kitchen',
      text: [
        '200 open tickets of four lines among 50,000 old sales, one outlet with 40 tables; planning and execution inside the database, median of 30.',
        table(
          ['', 'rows', 'ms', 'worst, ms'],
          figures.map(({ query, rows, ms, worstMs }) => [query, whole(rows), fixed(ms), fixed(worstMs)]),
        ),
      ].join('\n\n'),
      verdicts: [{ what: 'slowest board query, ms of database', value: worst, bar: 5, atLeast: false }],
    }
  } finally {
    await database.stop()
  }
}

/** As many as a workspace may have (B-live-3), in enough workspaces for 2,000. */
const PER_WORKSPACE = 20
const FOLLOWED = 100

/** A change told to 2,000 open streams: all of them within a second, as a waiter expects of a screen. */
export async function streams({ say }: Options): Promise<Report> {
  const database = await freshDatabase()
  try {
    const keys = await seedShops(database.url, FOLLOWED)
    const service = await startService(database.url, path.join(database.dir, 'service'))
    try {
      const workspaces = keys.map((key, index) => ({
        key,
        accountId: `acc_${String(index + 1).padStart(26, '0')}`,
        outletId: outletId(index + 1, 1),
      }))
      const figures = await measureStreams({
        address: service.address,
        databaseUrl: database.url,
        workspaces,
        perWorkspace: PER_WORKSPACE,
        rss: async () => (await rssOf(service.pid)) * 2 ** 20,
        changeOne: () => openBill(service.address, keys[0] ?? ''),
      })
      const { one, all } = figures
      say(
        `  slowest of ${one.clients}: ${whole(one.slowestMs)} ms, of ${all.clients}: ${whole(all.slowestMs)} ms (load ${loadNow()})`,
      )
      return {
        title: 'Live streams',
        text: [
          `${whole(figures.streams)} open streams of ${FOLLOWED} workspaces on one process, ${whole(figures.bytesPerStream / 1024)} KiB of resident memory each, opened in ${whole(figures.openMs)} ms.`,
          table(
            ['', 'clients', 'median, ms', 'slowest, ms'],
            [
              [
                'a sale of one workspace, from sending it',
                whole(one.clients),
                whole(one.medianMs),
                whole(one.slowestMs),
              ],
              [
                'a change in every workspace, told by another process',
                whole(all.clients),
                whole(all.medianMs),
                whole(all.slowestMs),
              ],
            ],
          ),
        ].join('\n\n'),
        verdicts: [
          {
            what: 'slowest of 2,000 streams hears of a change, ms',
            value: Math.max(one.slowestMs, all.slowestMs),
            bar: 1000,
            atLeast: false,
          },
        ],
      }
    } finally {
      await service.stop()
    }
  } finally {
    await database.stop()
  }
}

/** A bill that the kitchen sees. */
async function openBill(address: string, key: string) {
  const answer = await fetch(`${address}/api/v1/sales`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      outletId: outletId(1, 1),
      orderType: 'TAKEAWAY',
      status: 'PARKED',
      items: [{ variantId: variantId(1, 1), quantity: 1, unitPrice: priceOf(1) }],
    }),
  })
  if (answer.status !== 201) throw new Error(`the bill was refused: ${await answer.text()}`)
}
