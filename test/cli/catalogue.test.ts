import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { kasir, type Ran } from '../support/kasir.ts'
import { programCommand } from '../support/program.ts'
import { readJourney, updated, walk } from '../support/readme.ts'
import { type OwnService, ownService } from '../support/service.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const PAGE = path.join(ROOT, 'docs/catalogue-csv.md')
const SLOW = 120_000

let service: OwnService
let room = ''

beforeAll(async () => {
  service = await ownService({ SIGNUP: 'open' })
  await service.start()
  room = await mkdtemp(path.join(tmpdir(), 'kasir-goods-'))
  await chmod(room, 0o711)
}, SLOW)
afterAll(async () => {
  await service.end()
  await rm(room, { recursive: true, force: true })
})

const told = ({ code, err }: Ran) => [code, err]
const beside = (...args: string[]) => kasir(args, { DATA_DIR: service.dataDir })

async function signUp(email: string) {
  const answer = await fetch(`${service.address()}/api/v1/auth/signup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: 'kopi susu gula aren', name: 'Ibu Sari' }),
  })
  expect(answer.status).toBe(201)
}

// The tests follow one installation from its first minute: no workspace, one, two.

test(
  'without a workspace the catalogue commands say how to get one, and write nothing',
  async () => {
    const file = path.join(room, 'none.csv')
    for (const command of ['export-catalogue', 'import-catalogue']) {
      expect([command, ...told(await beside(command, file))]).toEqual([
        command,
        2,
        'This database has no workspace yet: sign up, or run kasir demo\nSee kasir --help\n',
      ])
    }
    await expect(stat(file)).rejects.toThrow('ENOENT')
  },
  SLOW,
)

test(
  'the page of the catalogue works as printed where there is one workspace',
  async () => {
    await signUp('only@example.com')
    const steps = await readJourney(PAGE)
    expect(steps).toHaveLength(4)
    const command = `DATA_DIR=${service.dataDir} ${programCommand()}`
    const here = steps.map((step) => ({
      ...step,
      commands: step.commands.replace('npm --silent start --', command),
    }))
    expect(here[0]?.commands).toContain(command)
    const printed = await walk(here, service.address(), room)
    if (process.env['UPDATE_README']) await writeFile(PAGE, updated(await readFile(PAGE, 'utf8'), printed))
    else expect(printed).toEqual(steps.map((step) => step.printed))
    const exported = await readFile(path.join(room, 'catalogue.csv'), 'utf8')
    expect(
      [...exported.matchAll(/(KS-1|TT-1|RB-1),[^,]*,(\d+)/g)].map(([, sku, price]) => [sku, price]),
    ).toEqual([
      ['KS-1', '18000'],
      ['RB-1', '15000'],
      ['TT-1', '15000'],
    ])
  },
  SLOW,
)

test(
  'how far a catalogue is, is told in percent: at most ten lines, rising, the last one 100%',
  async () => {
    const file = path.join(room, 'many.csv')
    const rows = Array.from({ length: 150 }, (_, index) => `Barang ${index},${1_000 + index}`)
    await writeFile(file, `product,price\n${rows.join('\n')}\n`)
    for (const [label, ...args] of [
      ['Trying', 'import-catalogue', file, '--dry-run'],
      ['Importing', 'import-catalogue', file],
      ['Exporting', 'export-catalogue', `${file}.out`],
    ] as const) {
      const { code, out } = await beside(...args)
      expect([label, code]).toEqual([label, 0])
      const lines = out.split('\n').filter((line) => line.startsWith(`${label}: `))
      const percents = lines.map((line) => Number(/^\w+: (\d+)%$/.exec(line)?.[1]))
      expect(percents.at(-1)).toBe(100)
      expect(percents.length).toBeLessThanOrEqual(10)
      expect(percents).toEqual([...new Set(percents)].sort((a, b) => a - b))
    }
  },
  SLOW,
)

test(
  'with two workspaces none is guessed: the commands ask for one, and take the one of --email',
  async () => {
    await signUp('second@example.com')
    const file = path.join(room, 'second.csv')
    expect(told(await beside('export-catalogue', file))).toEqual([
      2,
      'There are several workspaces: choose one with the --email of a member, or with --api-key\nSee kasir --help\n',
    ])
    await expect(stat(file)).rejects.toThrow('ENOENT')
    const { code, out } = await beside('export-catalogue', file, '--email', 'second@example.com')
    expect([code, out.trimEnd().split('\n').at(-1)]).toEqual([0, `0 rows written to ${file}.`])
    expect(told(await beside('export-catalogue', file, '--email', 'nobody@example.com'))).toEqual([
      2,
      'No member signs in as nobody@example.com in this database\nSee kasir --help\n',
    ])
  },
  SLOW,
)
