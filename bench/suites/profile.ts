import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { table, whole } from '../lib/figures.ts'
import { cpuOf } from '../lib/machine.ts'
import { type Profile, readProfile } from '../lib/profile.ts'
import { readFor } from '../lib/readers.ts'
import { type Bench, CONNECTIONS, load, warmUp, withShops } from '../lib/sales-run.ts'
import { outletId } from '../lib/sales-shop.ts'
import { type Service, startService } from '../lib/service.ts'
import type { Options, Report, Suite } from '../lib/suite.ts'

const SHOWN = 14

/** Where the service's processor time goes: docs/performance.md is written from it. */
export const profile: Suite = {
  name: 'profile',
  about: 'a CPU profile of the service while it sells, and while it lists sales',
  onlyByName: true,
  measure,
}

/** Samples are taken by the clock, which runs on while others have the processor: they say how it is shared, not how much. */
type Profiled = Profile & { requests: number; cpuUs: number }

function measure(options: Options): Promise<Report> {
  return withShops(async (bench) => {
    const spread = await profiled(bench, options, 'spread', sell(bench, { spread: true }))
    const alone = await profiled(bench, options, 'alone', sell(bench, { spread: true, connections: 1 }))
    const list = await profiled(bench, options, 'list', listSales(bench))
    const titled: [string, Profiled][] = [
      [`A plain sale, ${CONNECTIONS} tills`, spread],
      ['A plain sale, one till', alone],
      ['A page of 20 sales', list],
    ]
    return { title: 'Where the time goes', text: titled.map(pageOf).join('\n\n'), rows: [] }
  })
}

type Work = (service: Service, seconds: number) => Promise<number>

/** A service of its own, warm before the seconds that count, and stopped right behind them. */
async function profiled(
  bench: Bench,
  { seconds, quick, say }: Options,
  name: string,
  work: Work,
): Promise<Profiled> {
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

const pageOf = ([title, { busyUs, cpuUs, requests, byPlace, byFunction }]: [string, Profiled]): string => {
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
