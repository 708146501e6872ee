import { spawn } from 'node:child_process'
import { cp, mkdir, symlink } from 'node:fs/promises'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { fixed, median, table, whole } from '../lib/figures.ts'
import { type Bench, withShops } from '../lib/sales-run.ts'
import { startService } from '../lib/service.ts'
import { alternate, type Options, type Report, ratioOf, type Suite } from '../lib/suite.ts'
import type { ClientTask, ClientTurn } from '../processes/client-load.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const CONNECTIONS = 8
/** Turns are short and many, so that a slow moment of the machine affects both sides. */
const TURNS_PER_ROUND = 3

/** What the typed client adds to a call, as it is packed for npm. */
export const client: Suite = {
  name: 'client',
  about: 'calls through the packed client over bare fetch',
  onlyByName: true,
  measure: (options) => withShops((bench) => measure(bench, options)),
}

async function measure(bench: Bench, { seconds, rounds, say }: Options): Promise<Report> {
  const { database, keys } = bench
  const packed = await pack(database.dir)
  const service = await startService(database.url, path.join(database.dir, 'service'))
  try {
    const task = { address: service.address, key: keys[0] ?? '', packed, connections: CONNECTIONS }
    const turn = (way: ClientTask['way'], what: ClientTask['what']) => async () => {
      const { requests, seconds: took, cpu } = await run({ ...task, way, what, seconds: seconds / 2 })
      return { perSecond: requests / took, cpu: cpu / requests }
    }
    const compare = async (what: ClientTask['what']) => {
      await turn('client', what)()
      const { a, b } = await alternate(rounds * TURNS_PER_ROUND, turn('client', what), turn('fetch', what))
      const pace = (turns: typeof a) => turns.map(({ perSecond }) => perSecond)
      const cpu = (turns: typeof a) => median(turns.map((one) => one.cpu))
      const figures = { ours: median(pace(a)), bare: median(pace(b)), ratio: ratioOf(pace(a), pace(b)) }
      say(`  ${what}: client ${whole(figures.ours)}/s, fetch ${whole(figures.bare)}/s`)
      return { ...figures, cpuOurs: cpu(a), cpuBare: cpu(b) }
    }
    return reportOf({ read: await compare('read'), write: await compare('write') })
  } finally {
    await service.stop()
  }
}

/** The client from its package, installed with its declared dependencies only. */
async function pack(dir: string): Promise<string> {
  const home = path.join(dir, 'packed')
  const folder = path.join(home, 'client')
  await mkdir(folder, { recursive: true })
  await cp(path.join(ROOT, 'client'), folder, {
    recursive: true,
    filter: (name) => !/node_modules|dist$/.test(name),
  })
  await cp(path.join(ROOT, 'tsconfig.json'), path.join(home, 'tsconfig.json'))
  await symlink(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'))
  const child = spawn('npm', ['run', 'build'], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] })
  const told = text(child.stdout)
  const [code] = await new Promise<[number | null]>((done) => child.once('close', (ended) => done([ended])))
  if (code !== 0) throw new Error(`the client was not built: ${await told}`)
  return path.join(folder, 'dist', 'index.js')
}

const LOAD = fileURLToPath(new URL('../processes/client-load.ts', import.meta.url))

/** In a separate process, so that it never waits for this one. */
async function run(task: ClientTask): Promise<ClientTurn> {
  const child = spawn(process.execPath, ['--import', 'tsx', LOAD], { stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.end(JSON.stringify(task))
  return JSON.parse(await text(child.stdout)) as ClientTurn
}

type Pace = { ours: number; bare: number; ratio: number; cpuOurs: number; cpuBare: number }

function reportOf({ read, write }: { read: Pace; write: Pace }): Report {
  const line = (what: string, { ours, bare, ratio, cpuOurs, cpuBare }: Pace) => [
    what,
    whole(ours),
    whole(bare),
    fixed(ratio),
    whole(cpuOurs),
    whole(cpuBare),
  ]
  const over = (what: string, { ours, bare, ratio }: Pace) => ({
    what,
    measured: `${whole(ours)}/s`,
    yardstick: `${whole(bare)}/s`,
    value: ratio,
    bar: { atLeast: 0.9 },
  })
  return {
    title: 'The typed client',
    text: [
      `${CONNECTIONS} callers in one process, through the built package and through bare fetch that parses the answer; a product is read, a customer is written with an Idempotency-Key.`,
      table(
        ['', 'client, requests/s', 'fetch, requests/s', 'ratio', 'client, CPU µs', 'fetch, CPU µs'],
        [line('read', read), line('write', write)],
      ),
    ].join('\n\n'),
    rows: [over('client: reads/s over bare fetch', read), over('client: writes/s over bare fetch', write)],
  }
}
