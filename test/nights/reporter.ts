import type { Reporter, TestCase, TestModule } from 'vitest/node'

const LABELS = { passed: 'kept', failed: 'BROKEN', skipped: 'skipped', pending: 'not run' } as const

type Row = { promise: string; label: string; seconds: string; remark: string }

/** Prints a line when a step begins and ends, and a table of all steps at the end. */
export const stepReporter = (): Reporter => ({
  onTestCaseReady: ({ name }) => print(`> ${name}`),
  onTestCaseResult: (step) => {
    const { label, promise, seconds } = rowOf(step)
    print(`${label} after ${seconds} s: ${promise}`)
  },
  onTestRunEnd: (files, errors) => {
    const steps = files.flatMap((file) => [...file.children.allTests()])
    printTable(steps.map(rowOf))
    const faults = [...steps.flatMap(faultsOf), ...files.flatMap(faultsOfFile)]
    for (const fault of [...faults, ...errors.map(({ message }) => `Outside of any step: ${message}`)])
      print(`\n${fault}`)
  },
})

const print = (line: string) => void process.stdout.write(`${line}\n`)

function rowOf(step: TestCase): Row {
  const result = step.result()
  const note = result.state === 'skipped' ? result.note : undefined
  return {
    promise: step.name,
    label: LABELS[result.state],
    seconds: ((step.diagnostic()?.duration ?? 0) / 1000).toFixed(1),
    remark: note ?? (step.meta() as { remark?: string }).remark ?? '',
  }
}

function printTable(rows: Row[]) {
  const widest = Math.max(0, ...rows.map(({ promise }) => promise.length))
  print(`\n${'Promise'.padEnd(widest)}  Result   Seconds  Remark`)
  for (const { promise, label, seconds, remark } of rows)
    print(`${promise.padEnd(widest)}  ${label.padEnd(7)}  ${seconds.padStart(7)}  ${remark}`.trimEnd())
}

const faultsOf = (step: TestCase): string[] =>
  (step.result().errors ?? []).map(
    ({ message, stack }) => `Broken promise: ${step.name}\n  ${message}\n${stack ?? ''}`,
  )

const faultsOfFile = (file: TestModule): string[] =>
  file.errors().map(({ message, stack }) => `${file.moduleId} did not run: ${message}\n${stack ?? ''}`)
