import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { query, settle } from '../lib/database.ts'
import { fixed, median, table, whole } from '../lib/figures.ts'
import { cpuOf } from '../lib/machine.ts'
import { type Profile, readProfile } from '../lib/profile.ts'
import { readFor } from '../lib/readers.ts'
import {
  type Bench,
  CONNECTIONS,
  load,
  makeYardstick,
  serviceOf,
  warmUp,
  withShops,
} from '../lib/sales-run.ts'
import { outletId } from '../lib/sales-shop.ts'
import { bareSales } from '../lib/sales-yardstick.ts'
import { type Service, startService } from '../lib/service.ts'
import type { Options, Report, Suite } from '../lib/suite.ts'

const SHOWN = 14

/** The processor time of the service by part, for docs/performance.md. */
export const profile: Suite = {
  name: 'profile',
  about: 'a CPU profile of the service while it sells and lists sales, and where one till waits',
  onlyByName: true,
  measure,
}

/** Samples are taken by elapsed time, so they show shares of processor time and not its amount. */
type LoadProfile = Profile & { requests: number; cpuUs: number }

function measure(options: Options): Promise<Report> {
  return withShops(async (bench) => {
    const spread = await profiled(bench, options, 'spread', sell(bench, { spread: true }))
    const alone = await profiled(bench, options, 'alone', sell(bench, { spread: true, connections: 1 }))
    const list = await profiled(bench, options, 'list', listSales(bench))
    const titled: [string, LoadProfile][] = [
      [`A plain sale, ${CONNECTIONS} tills`, spread],
      ['A plain sale, one till', alone],
      ['A page of 20 sales', list],
    ]
    const layers = await layersOfOne(bench, options)
    return { title: 'Where the time goes', text: [layers, ...titled.map(pageOf)].join('\n\n'), rows: [] }
  }, TIMED)
}

const WHERE = { spread: true }
const TIMED = { shared_preload_libraries: 'pg_stat_statements' }
const MEAN = `select sum(total_exec_time) / sum(calls) as ms from pg_stat_statements where query like $1`

/** The waiting time of one till, from the rows alone to the whole request, measured in turns. */
async function layersOfOne(bench: Bench, { seconds, rounds, quick }: Options): Promise<string> {
  const { url, adminUrl } = bench.database
  await query(adminUrl, 'create extension pg_stat_statements')
  const service = await serviceOf(bench, url, 'layers')
  try {
    await warmUp(bench, service, { sales: 4_000, quick })
    const { yardstick, texts } = await makeYardstick(bench)
    await settle(url)
    await query(adminUrl, 'select pg_stat_statements_reset()')
    const took: Record<'bench' | 'node' | 'http', number[]> = { bench: [], node: [], http: [] }
    for (let round = 0; round < rounds; round += 1) {
      took.bench.push((await yardstick(WHERE, { seconds, clients: 1 })).p50)
      took.node.push((await bareSales(url, texts, WHERE, { seconds, clients: 1 })).p50)
      took.http.push((await load(bench, service, { ...WHERE, connections: 1, limit: { seconds } })).p50)
    }
    const meanOf = async (text: string) => {
      const [row] = await query<{ ms: number | null }>(adminUrl, MEAN, [text])
      return row?.ms ?? Number.NaN
    }
    const row = (what: string, ms: number) => [what, fixed(ms)]
    return [
      '### One till, layer by layer',
      'Mean inside the database, without its commit; else the p50 of who waits.',
      table(
        ['', 'ms'],
        [
          row('rows of the yardstick, inside the database', await meanOf('with k as materialized%')),
          row('the same for pgbench, with its commit', median(took.bench)),
          row('the same for a client in Node', median(took.node)),
          row('the sale, inside the database', await meanOf('with asked as%')),
          row('the sale over HTTP', median(took.http)),
        ],
      ),
    ].join('\n\n')
  } finally {
    await service.stop()
  }
}

type Work = (service: Service, seconds: number) => Promise<number>

/** A separate service, warmed up before the measured seconds and stopped after them. */
async function profiled(
  bench: Bench,
  { seconds, quick, say }: Options,
  name: string,
  work: Work,
): Promise<LoadProfile> {
  const directory = path.join(bench.database.dir, `profile-${name}`)
  await mkdir(directory)
  const service = await startService(bench.database.url, path.join(bench.database.dir, name), {
    nodeFlags: ['--cpu-prof', `--cpu-prof-dir=${directory}`],
  })
  let requests = 0
  let cpuUs = 0
  try {
    await warmUp(bench, service, { sales: 4_000, quick })
    await work(service, seconds)
    const before = await cpuOf(service.pid)
    requests = await work(service, seconds)
    cpuUs = ((await cpuOf(service.pid)) - before) * 1e6
  } finally {
    await service.stop()
  }
  const seen = await readProfile(directory, seconds)
  say(`${name}: ${whole(cpuUs / requests)} µs of Node for each`)
  return { ...seen, requests, cpuUs }
}

const sell =
  (bench: Bench, how: { spread: boolean; connections?: number }): Work =>
  async (service, seconds) =>
    (await load(bench, service, { ...how, limit: { seconds } })).sales

const listSales =
  (bench: Bench): Work =>
  async ({ address }, seconds) => {
    const path = `/api/v1/sales?outletId=${outletId(1, 1)}&limit=20`
    const { requests } = await readFor(address, path, { key: bench.keys[0] ?? '', connections: 8, seconds })
    return requests
  }

const pageOf = ([title, { busyUs, cpuUs, requests, byPlace, byFunction }]: [string, LoadProfile]): string => {
  const lines = (shares: Profile['byPlace']) =>
    table(
      ['', 'µs each', '%'],
      shares
        .slice(0, SHOWN)
        .map(({ name, us }) => [name, whole((cpuUs * us) / busyUs / requests), whole((100 * us) / busyUs)]),
    )
  const sum = `${whole(cpuUs / requests)} µs of Node for each of ${whole(requests)}, by who was running:`
  return [`### ${title}`, sum, lines(byPlace), 'The functions among them:', lines(byFunction)].join('\n\n')
}
