import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { faultReporter } from './reporter.ts'

/** The faults of an installation on one machine (npm run faults): not part of npm test. */
export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: {
    include: ['test/faults/*.test.ts'],
    globalSetup: ['test/nights/setup.ts'],
    reporters: [faultReporter()],
    // One file waits for most of its time, for processes that start and end.
    maxWorkers: 2,
    disableConsoleIntercept: true,
    testTimeout: 900_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000, interval: 20 } },
    env: { NODE_ENV: 'test' },
  },
})
