import { type TestContext, test } from 'vitest'

declare module 'vitest' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- declarations merge only as interfaces
  interface TaskMeta {
    /** What the table at the end says about a step. */
    remark?: string
  }
}

export type Step = {
  /** Prints a line of progress. */
  say(line: string): void
  /** Leaves a remark in the table at the end. */
  remark(text: string): void
  skip: TestContext['skip']
}

/** As in vitest.config.ts. */
const NIGHT_MS = 900_000

/** A night of the rehearsal. Its name is the promise that it holds the service to. */
export const step = (promise: string, work: (step: Step) => Promise<void>, timeoutMs = NIGHT_MS) =>
  test(promise, { timeout: timeoutMs }, async ({ task, skip }) => {
    await work({
      say: (line) => void process.stdout.write(`    ${line}\n`),
      remark: (text) => {
        task.meta.remark = text
      },
      skip,
    })
  })
