import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  resolve: { alias: { '#client': fileURLToPath(new URL('client/src/index.ts', import.meta.url)) } },
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    // Two cores: more files at once only make each other wait.
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // A poll ends when it sees what it waits for; on a busy machine that takes longer than the second of the default.
    expect: { poll: { timeout: 20_000 } },
    env: { NODE_ENV: 'test' },
  },
})
