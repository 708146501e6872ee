import { writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { fixed, table } from './lib/figures.ts'
import { loadNow, machine } from './lib/machine.ts'
import { holds, type Report, type Suite } from './lib/suite.ts'

const SUITES: Readonly<Record<string, () => Promise<Suite>>> = {
  sales: async () => (await import('./suites/sales.ts')).sales,
  lookup: async () => (await import('./suites.ts')).lookup,
  kitchen: async () => (await import('./suites.ts')).kitchen,
  streams: async () => (await import('./suites.ts')).streams,
  lists: async () => (await import('./suites/lists.ts')).lists,
  reads: async () => (await import('./suites/reads.ts')).reads,
  reports: async () => (await import('./suites/reports.ts')).reports,
  webhooks: async () => (await import('./suites/webhooks.ts')).webhooks,
  backup: async () => (await import('./suites/backup.ts')).backup,
  marketing: async () => (await import('./suites/marketing.ts')).marketing,
}

const HELP = `npm run bench -- [suite …] [options]

  suite          only these: ${Object.keys(SUITES).join(', ')}
  --only a,b     the same
  --seconds N    how long one measurement lasts (10)
  --quick        one short round: shows that the bench works, its figures mean little
  --dry          leave bench/results.md as it is, which a run of all suites writes

Ratios inside one run are what counts: yardstick and service take turns on the same machine.
Run it on a quiet one; the load average stands beside every figure.
`

const RESULTS = fileURLToPath(new URL('results.md', import.meta.url))

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string' },
    seconds: { type: 'string' },
    quick: { type: 'boolean', default: false },
    dry: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
})

const say = (line: string) => console.log(line)

async function main() {
  if (values.help) return say(HELP)
  const named = [...positionals, ...(values.only?.split(',') ?? [])]
  const names = named.length > 0 ? named : Object.keys(SUITES)
  const unknown = names.filter((name) => !Object.hasOwn(SUITES, name))
  if (unknown.length > 0) throw new Error(`there is no ${unknown.join(', ')}: see --help`)
  const seconds = Number(values.seconds ?? (values.quick ? 3 : 10))
  if (!(seconds > 0)) throw new Error('--seconds must be a positive number')
  const reports: Report[] = []
  for (const name of names) {
    say(`${name} (load ${loadNow()})`)
    const suite = await SUITES[name]?.()
    if (suite) reports.push(await suite({ seconds, rounds: values.quick ? 1 : 3, say }))
  }
  const page = await pageOf(reports)
  say(`\n${page}`)
  if (named.length === 0 && !values.dry) await writeFile(RESULTS, `${page}\n`)
  if (reports.flatMap((report) => report.verdicts).some((verdict) => !holds(verdict))) process.exitCode = 1
}

async function pageOf(reports: readonly Report[]): Promise<string> {
  const verdicts = reports.flatMap((report) => report.verdicts)
  const command =
    process.argv.length > 2 ? `npm run bench -- ${process.argv.slice(2).join(' ')}` : 'npm run bench'
  return [
    '# Measured',
    `\`${command}\` on ${new Date().toISOString().slice(0, 10)}: ${await machine()}, Node ${process.versions.node}, load average at the end ${loadNow()}. Database, service and load share the machine. Medians; figures of two runs are not comparable, ratios inside one run are.`,
    table(
      ['', 'measured', 'bar', ''],
      verdicts.map((verdict) => [
        verdict.what,
        fixed(verdict.value),
        `${verdict.atLeast ? '≥' : '≤'} ${verdict.bar}`,
        holds(verdict) ? 'holds' : 'MISSED',
      ]),
    ),
    ...reports.map(({ title, text }) => `## ${title}\n\n${text}`),
  ].join('\n\n')
}

await main()
