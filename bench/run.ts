import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { nearest } from '../src/core/suggest.ts'
import { removePristine, versionSeen } from './lib/database.ts'
import { fixed, table, whole } from './lib/figures.ts'
import { sharedHistory } from './lib/history.ts'
import { loadNow, machine, versionOf } from './lib/machine.ts'
import { sharedShops } from './lib/sales-run.ts'
import {
  barText,
  holds,
  type Options,
  type Report,
  type Row,
  type SharedPart,
  type Suite,
} from './lib/suite.ts'
import { suites } from './suites.ts'

const HELP = `npm run bench [-- NAME ...] [options]

  NAME           only these suites; --list tells them all
  --list         the suites, and what each measures
  --seconds N    how long one measurement lasts (3)
  --quick        as small and short as can be: shows that the bench works, its figures mean nothing
  --dry          writes no file; otherwise a run of all suites writes bench/results.md, and footprint bench/footprint.json

Prints one table of figures beside their yardsticks, which were measured in turns with them on the same machine. Only
ratios inside one run count. Ends with code 1 where a bar is missed or a suite fails, with code 2 where the command is wrong.
`

const RESULTS = fileURLToPath(new URL('results.md', import.meta.url))
const MANIFEST = fileURLToPath(new URL('../package.json', import.meta.url))
/** A suite that runs for longer has failed; one that is called by name may take longer. */
const LIMIT_MINUTES = { all: 6, named: 30 }

const LONGER = 4 / 3

type RunOptions = {
  chosen: readonly Suite[]
  isAll: boolean
  seconds: number
  quick: boolean
  /** Results are kept in files. */
  writes: boolean
}
type Outcome = { suite: Suite; seconds: number } & ({ report: Report } | { fault: string })

/** What the command line asks for, or the text to print with its exit code. */
function readArguments(args: readonly string[]): RunOptions | { text: string; code: 0 | 2 } {
  const wrong = (text: string) => ({ text: `${text}\nSee npm run bench -- --help`, code: 2 as const })
  let parsed: ReturnType<typeof parse>
  try {
    parsed = parse(args)
  } catch (error) {
    return wrong(messageOf(error))
  }
  const { values, positionals: names } = parsed
  if (values.help) return { text: HELP, code: 0 }
  if (values.list) return { text: listOf(suites), code: 0 }
  const unknown = names.find((name) => !suites.some((suite) => suite.name === name))
  if (unknown !== undefined) {
    const likely = nearest(
      unknown,
      suites.map(({ name }) => name),
    )
    return wrong(`There is no suite "${unknown}".${likely === null ? '' : ` Did you mean "${likely}"?`}`)
  }
  const seconds = Number(values.seconds ?? (values.quick ? 1 : 3))
  if (!(seconds > 0)) return wrong(`--seconds must be a number above 0, not "${values.seconds}".`)
  const isAll = names.length === 0
  const chosen = suites.filter((suite) => (isAll ? !suite.onlyByName : names.includes(suite.name)))
  return { chosen, isAll, seconds, quick: values.quick, writes: !values.quick && !values.dry }
}

const parse = (args: readonly string[]) =>
  parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      list: { type: 'boolean', default: false },
      seconds: { type: 'string' },
      quick: { type: 'boolean', default: false },
      dry: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })

const listOf = (all: readonly Suite[]) =>
  all
    .map(({ name, about, onlyByName }) => `${name.padEnd(12)} ${about}${onlyByName ? ' (only by name)' : ''}`)
    .join('\n')

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
const say = (line: string) => console.log(line)

async function main(): Promise<number> {
  const asked = readArguments(process.argv.slice(2))
  if ('text' in asked) {
    say(asked.text)
    return asked.code
  }
  const began = performance.now()
  const outcomes = await measureAll(asked)
  const minutes = (performance.now() - began) / 60_000
  const head = await headOf(minutes)
  const figures = tableOf(outcomes)
  say(`\n${head}\n\n${figures}`)
  if (asked.writes) await writeFigures(outcomes)
  if (asked.writes && asked.isAll) await writeFile(RESULTS, `${pageOf(head, figures, outcomes)}\n`)
  else if (!asked.isAll) for (const one of outcomes) if ('report' in one) say(`\n${sectionOf(one.report)}`)
  const missed = outcomes.flatMap(rowsOf).filter((row) => !holds(row)).length
  const failed = outcomes.filter((one) => 'fault' in one).length
  say(`\n${missed} bars missed, ${failed} suites failed, ${fixed(minutes, 1)} minutes (${pacesOf(outcomes)})`)
  return missed + failed > 0 ? 1 : 0
}

/** One after the other. A suite that fails is reported in the table, and the others still run. */
async function measureAll({ chosen, isAll, seconds, quick }: RunOptions): Promise<Outcome[]> {
  const history = sharedHistory({ quick, say: (line) => say(`  ${line} (load ${loadNow()})`) })
  const shops = sharedShops({ quick })
  const shared: Readonly<Record<SharedPart, { stop(): Promise<void> }>> = { history, shops }
  const outcomes: Outcome[] = []
  for (const [n, suite] of chosen.entries()) {
    say(`${suite.name} (load ${loadNow()})`)
    const began = performance.now()
    const taken = () => (performance.now() - began) / 1000
    const options: Options = {
      seconds,
      longer: seconds * LONGER,
      rounds: quick ? 1 : 3,
      quick,
      say: (line) => say(`  ${whole(taken())} s  ${line} (load ${loadNow()})`),
      history: history.get,
      shops,
    }
    try {
      const report = await within(LIMIT_MINUTES[isAll ? 'all' : 'named'], suite.measure(options))
      outcomes.push({ suite, report, seconds: taken() })
    } catch (error) {
      say(`  FAILED: ${error instanceof Error ? error.stack : String(error)}`)
      outcomes.push({ suite, fault: messageOf(error), seconds: taken() })
      // A suite that hangs still uses the processors, so figures measured beside it would be wrong.
      if (error instanceof Overdue) return outcomes
    }
    const { uses } = suite
    if (uses && !chosen.slice(n + 1).some((later) => later.uses === uses)) await shared[uses].stop()
  }
  await removePristine()
  return outcomes
}

class Overdue extends Error {}

async function within<T>(minutes: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, fail) => {
    timer = setTimeout(() => fail(new Overdue(`not finished after ${minutes} minutes`)), minutes * 60_000)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

const pacesOf = (outcomes: readonly Outcome[]) =>
  outcomes.map(({ suite, seconds }) => `${suite.name} ${whole(seconds)} s`).join(', ')

const rowsOf = (outcome: Outcome): Row[] => ('report' in outcome ? outcome.report.rows : [])

function tableOf(outcomes: readonly Outcome[]): string {
  const rows = outcomes.flatMap((outcome) => {
    const { name } = outcome.suite
    if ('fault' in outcome) return [[name, oneLine(outcome.fault), '', '', '', '', 'FAILED']]
    return outcome.report.rows.map((row) => [
      name,
      row.what,
      row.measured,
      row.yardstick,
      fixed(row.value),
      barText(row.bar),
      row.bar === null ? 'reported' : holds(row) ? 'holds' : 'MISSED',
    ])
  })
  return table(['suite', 'figure', 'measured', 'yardstick', 'value', 'bar', ''], rows)
}

const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|').slice(0, 200)

/** Writes bench/NAME.json for each suite with figures that other programs read. */
async function writeFigures(outcomes: readonly Outcome[]): Promise<void> {
  for (const outcome of outcomes) {
    if (!('report' in outcome) || outcome.report.figures === undefined) continue
    const content = {
      measured: today(),
      machine: await machine(),
      kasir: await kasirVersion(),
      node: process.versions.node,
      postgresql: versionSeen(),
      loadAtEnd: Number(loadNow()),
      ...outcome.report.figures,
    }
    const file = fileURLToPath(new URL(`${outcome.suite.name}.json`, import.meta.url))
    await writeFile(file, `${JSON.stringify(content, null, 2)}\n`)
  }
}

const today = () => new Date().toISOString().slice(0, 10)

async function kasirVersion(): Promise<string> {
  const { version } = JSON.parse(await readFile(MANIFEST, 'utf8')) as { version: string }
  return version
}

async function headOf(minutes: number): Promise<string> {
  const command = ['npm run bench', ...(process.argv.length > 2 ? ['--', ...process.argv.slice(2)] : [])]
  const programs = [
    `Kasir ${await kasirVersion()}`,
    `Node ${process.versions.node}`,
    `PostgreSQL ${versionSeen()}`,
    (await versionOf('pgbench')) ?? 'no pgbench',
  ]
  return `\`${command.join(' ')}\` on ${today()}: ${await machine()}; ${programs.join(', ')}; ${fixed(minutes, 1)} minutes, load average at the end ${loadNow()}.`
}

const sectionOf = ({ title, text }: Report) => `## ${title}\n\n${text}`

const pageOf = (head: string, figures: string, outcomes: readonly Outcome[]) =>
  [
    '# Measured',
    head,
    'Database, service and load share the machine. Figures are medians of turns that a figure and its yardstick took one after the other; ratios inside one run mean something, figures of two runs cannot be compared.',
    figures,
    ...outcomes.map((one) =>
      'report' in one ? sectionOf(one.report) : `## ${one.suite.name}\n\nFailed: ${oneLine(one.fault)}`,
    ),
  ].join('\n\n')

const code = await main()
// Programs of a cancelled suite may still run and keep this process alive.
process.exit(code)
