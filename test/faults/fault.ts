import { type TestContext, test } from 'vitest'

/** What the table at the end says about a fault. A column without a number was not counted. */
export type FaultRow = {
  rounds: number
  acknowledged?: number
  lost?: number
  doubled?: number
  unexplained?: number
  /** The longest time from the end of the fault to the first sale, in seconds. */
  worstRecoveryS?: number
  remark?: string
}

declare module 'vitest' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- declarations merge only as interfaces
  interface TaskMeta {
    row?: FaultRow
  }
}

type FaultRun = {
  /** Filled in as the fault is repeated, so that a failure shows how far it came. */
  row: FaultRow
  say(line: string): void
  skip: TestContext['skip']
}

/** A fault and the promise that it holds the service to. The first part of the name, up to the colon, names the fault. */
export const fault = (promise: string, work: (run: FaultRun) => Promise<void>) =>
  test(promise, async ({ task, skip }) => {
    const row: FaultRow = { rounds: 0 }
    task.meta.row = row
    await work({ row, say: (line) => void process.stdout.write(`    ${line}\n`), skip })
  })

/** Keeps the longest of several recoveries. */
export function noteRecovery(row: FaultRow, seconds: number) {
  row.worstRecoveryS = Math.max(row.worstRecoveryS ?? 0, seconds)
}
