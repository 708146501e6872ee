import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { stepReporter } from './reporter.ts'

/** The bad nights of an operator (npm run nights): not part of npm test. */
export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: {
    include: ['test/nights/*.test.ts'],
    globalSetup: ['test/nights/setup.ts'],
    reporters: [stepReporter()],
    // One file waits for most of its time, for processes that start and end.
    maxWorkers: 2,
    disableConsoleIntercept: true,
    testTimeout: 900_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    env: { NODE_ENV: 'test' },
  },
})
