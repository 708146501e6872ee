import { fileURLToPath } from 'node:url'
import { configDefaults, defineConfig } from 'vitest/config'

/** Tests that need a cluster run over one alone (npm run test:cluster). */
// oxlint-disable-next-line node/no-process-env -- a test run is configured by nothing else
const overCluster = process.env['TEST_CLUSTER_URL'] !== undefined

export default defineConfig({
  resolve: { alias: { '#client': fileURLToPath(new URL('client/src/index.ts', import.meta.url)) } },
  test: {
    include: ['test/**/*.test.ts'],
    exclude: [...configDefaults.exclude, ...(overCluster ? [] : ['test/cluster/**'])],
    globalSetup: ['test/support/global-setup.ts'],
    // Two cores: more files at once only make each other wait.
    maxWorkers: 2,
    // A file loads the whole service. Two workers that keep it loaded save a sixth of the run; each file has its own database.
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // A poll ends when it sees what it waits for; on a busy machine that takes longer than the second of the default.
    expect: { poll: { timeout: 20_000 } },
    env: { NODE_ENV: 'test' },
  },
})
