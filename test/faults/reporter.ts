import type { Reporter, TestCase, TestModule } from 'vitest/node'
import type { FaultRow } from './fault.ts'

const VERDICTS = { passed: 'held', failed: 'BROKEN', skipped: 'skipped', pending: 'not run' } as const

const HEAD = [
  'Fault',
  'Rounds',
  'Acknowledged',
  'Lost',
  'Doubled',
  'Unexplained 5xx',
  'Worst recovery (s)',
  'Verdict',
  'Seconds',
  'Remark',
]

/** Prints a line when a fault begins and ends, and the table of all faults at the end. */
export const faultReporter = (): Reporter => ({
  onTestCaseReady: ({ name }) => print(`> ${name}`),
  onTestCaseResult: (one) => print(`${VERDICTS[one.result().state]}: ${one.name}`),
  onTestRunEnd: (files, errors) => {
    const cases = files.flatMap((file) => [...file.children.allTests()])
    printTable([HEAD, ...cases.map(cellsOf), totalsOf(cases)])
    const failures = [...cases.flatMap(failuresOf), ...files.flatMap(failuresOfFile)]
    for (const text of [...failures, ...errors.map(({ message }) => `Outside of any fault: ${message}`)])
      print(`\n${text}`)
  },
})

const print = (line: string) => void process.stdout.write(`${line}\n`)

const rowOf = (one: TestCase): FaultRow => (one.meta() as { row?: FaultRow }).row ?? { rounds: 0 }
const numbered = (value: number | undefined) => (value === undefined ? '-' : String(value))

function cellsOf(one: TestCase): string[] {
  const result = one.result()
  const row = rowOf(one)
  const note = result.state === 'skipped' ? result.note : undefined
  return [
    one.name.split(':')[0] ?? '',
    String(row.rounds),
    numbered(row.acknowledged),
    numbered(row.lost),
    numbered(row.doubled),
    numbered(row.unexplained),
    row.worstRecoveryS === undefined ? '-' : row.worstRecoveryS.toFixed(1),
    VERDICTS[result.state],
    ((one.diagnostic()?.duration ?? 0) / 1000).toFixed(0),
    note ?? row.remark ?? '',
  ]
}

function totalsOf(cases: TestCase[]): string[] {
  const rows = cases.map(rowOf)
  const sum = (pick: (row: FaultRow) => number | undefined) =>
    String(rows.reduce((total, row) => total + (pick(row) ?? 0), 0))
  const states = cases.map((one) => one.result().state)
  const skips = states.filter((state) => state === 'skipped').length
  return [
    'All',
    sum((row) => row.rounds),
    sum((row) => row.acknowledged),
    sum((row) => row.lost),
    sum((row) => row.doubled),
    sum((row) => row.unexplained),
    Math.max(0, ...rows.map((row) => row.worstRecoveryS ?? 0)).toFixed(1),
    states.includes('failed') ? 'BROKEN' : 'held',
    '',
    skips === 0 ? '' : `${skips} skipped`,
  ]
}

function printTable(rows: string[][]) {
  const widths = HEAD.map((_, column) => Math.max(...rows.map((cells) => (cells[column] ?? '').length)))
  const isText = (column: number) => column === 0 || HEAD[column] === 'Verdict' || HEAD[column] === 'Remark'
  print('')
  for (const cells of rows) {
    const padded = cells.map((cell, column) =>
      isText(column) ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
    )
    print(padded.join('  ').trimEnd())
  }
}

const failuresOf = (one: TestCase): string[] =>
  (one.result().errors ?? []).map(
    ({ message, stack }) => `Broken promise: ${one.name}\n  ${message}\n${stack ?? ''}`,
  )

const failuresOfFile = (file: TestModule): string[] =>
  file.errors().map(({ message, stack }) => `${file.moduleId} did not run: ${message}\n${stack ?? ''}`)
