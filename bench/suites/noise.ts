import { spawn } from 'node:child_process'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { settle } from '../lib/database.ts'
import { fixed, median, whole } from '../lib/figures.ts'
import type { History } from '../lib/history.ts'
import { load, type SaleCounts, warmUp } from '../lib/sales-run.ts'
import { outletId } from '../lib/sales-shop.ts'
import { type Service, startService } from '../lib/service.ts'
import {
  alternate,
  type Bar,
  type Options,
  type Report,
  type Row,
  ratioOf,
  type Suite,
} from '../lib/suite.ts'
import type { NoiseResult, NoiseTask } from '../processes/noise.ts'

const NOISE = fileURLToPath(new URL('../processes/noise.ts', import.meta.url))
const WARM_UP = 3_000
/** The neighbours: this many tills, each with a sale every so many milliseconds. */
const TILLS = 8
const EVERY_MS = 100
/** The noisy workspace. */
const CALLERS = 64
/** Services of the bench have no limit unless they are given one. */
const DEFAULT_LIMIT = '3000'

/** The reads that cost most: long lists, reports of years, searches without a hit. */
const pathsOf = (from: string, to: string): string[] =>
  [
    '/products',
    '/products?q=zzzzzz',
    '/sales?limit=100',
    `/reports/summary?from=${from}&to=${to}`,
    `/reports/top-products?from=${from}&to=${to}`,
    `/reports/margin?from=${from}&to=${to}`,
    `/inventory/levels?outletId=${outletId(1, 1)}`,
    '/inventory/movements?limit=100',
  ].map((each) => `/api/v1${each}`)

/** One workspace that asks as much as it can, beside tills of 48 others. */
export const noise: Suite = {
  name: 'noise',
  about: 'p99 of the tills of 48 workspaces beside one that sends requests as fast as they are answered',
  uses: 'history',
  measure,
}

async function measure(options: Options): Promise<Report> {
  const past = await options.history()
  const { answers, rows } = await measureBeside(past, options)
  return {
    title: 'A noisy workspace',
    text: `${TILLS} tills of ${past.keys.length - 2} workspaces, each with a sale every ${EVERY_MS} ms, beside one workspace with ${CALLERS} connections that repeat its most expensive reads and wait after a 429 for the seconds in Retry-After. Its answers: ${answers}. Tills, callers, service and database share the processors of this machine.`,
    rows,
  }
}

async function measureBeside(past: History, { longer, rounds, quick, say }: Options) {
  // Of the few sales that decide a p99, most would fall into one short turn.
  const seconds = longer * 3
  const bench = { database: past.database, keys: past.keys }
  const service = await startService(past.database.url, path.join(past.database.dir, 'noise'), {
    env: { RATE_LIMIT_PER_MINUTE: DEFAULT_LIMIT },
  })
  try {
    await warmUp(bench, service, { sales: WARM_UP, quick })
    await makeNoise(service, past.keys[0] ?? '', seconds)
    await settle(past.database.url)
    const neighbours = () =>
      load(bench, service, {
        from: 3,
        connections: TILLS,
        everyMs: EVERY_MS,
        limit: { seconds },
      })
    const statuses: Record<string, number> = {}
    const beside = async () => {
      const [sales, { statuses: answers }] = await Promise.all([
        neighbours(),
        makeNoise(service, past.keys[0] ?? '', seconds),
      ])
      for (const [status, count] of Object.entries(answers))
        statuses[status] = (statuses[status] ?? 0) + count
      say(`beside it p50 ${fixed(sales.p50)} ms, p99 ${fixed(sales.p99)} ms, ${JSON.stringify(answers)}`)
      return sales
    }
    const turns = await alternate(rounds, beside, async () => {
      const sales = await neighbours()
      say(`alone p50 ${fixed(sales.p50)} ms, p99 ${fixed(sales.p99)} ms`)
      return sales
    })
    const of = (side: readonly SaleCounts[], which: 'p50' | 'p99') => side.map((sales) => sales[which])
    const [alone, loud] = [turns.b, turns.a].map((side) => ({
      p50: `${fixed(median(of(side, 'p50')))} ms`,
      p99: `${fixed(median(of(side, 'p99')))} ms`,
    }))
    const rowOf = (which: 'p50' | 'p99', bar: Bar): Row => ({
      what: `${which} of a sale beside a noisy workspace over alone`,
      measured: loud?.[which] ?? '',
      yardstick: alone?.[which] ?? '',
      value: ratioOf(of(turns.a, which), of(turns.b, which)),
      bar,
    })
    return {
      answers: Object.entries(statuses)
        .map(([status, count]) => `${whole(count)} × ${status}`)
        .join(', '),
      rows: [rowOf('p50', { atMost: 1.2 }), rowOf('p99', { atMost: 2 })],
    }
  } finally {
    await service.stop()
  }
}

async function makeNoise(service: Service, key: string, seconds: number): Promise<NoiseResult> {
  const day = (ageDays: number) => new Date(Date.now() - ageDays * 86_400_000).toISOString().slice(0, 10)
  const task: NoiseTask = {
    address: service.address,
    key,
    paths: pathsOf(day(300), day(0)),
    connections: CALLERS,
    seconds,
  }
  const child = spawn(process.execPath, ['--import', 'tsx', NOISE], { stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.end(JSON.stringify(task))
  return JSON.parse(await text(child.stdout)) as NoiseResult
}
