import { fileURLToPath } from 'node:url'
import { configDefaults, defineConfig } from 'vitest/config'

const sourceFile = (path: string) => fileURLToPath(new URL(path, import.meta.url))

// oxlint-disable-next-line node/no-process-env -- a test run is configured by nothing else
const isWebLong = process.env['WEB_LONG'] !== undefined
/** Tests that need a cluster run over one alone (npm run test:cluster). */
// oxlint-disable-next-line node/no-process-env -- a test run is configured by nothing else
const overCluster = process.env['TEST_CLUSTER_URL'] !== undefined

export default defineConfig({
  resolve: {
    alias: {
      '#client': sourceFile('client/src/index.ts'),
      '#reference-partners': sourceFile('reference-partners/src/index.ts'),
      'kasir/partner-tools': sourceFile('src/partner-tools.ts'),
    },
  },
  test: {
    include: ['test/**/*.test.ts'],
    // npm run nights, npm run fuzz and npm run faults run the others, each with a configuration of its own.
    exclude: [
      ...configDefaults.exclude,
      'test/nights/**',
      'test/fuzz/**',
      'test/faults/**',
      // Ten minutes in a browser. WEB_LONG=1 runs it.
      ...(isWebLong ? [] : ['test/web/office/looks.test.ts']),
      ...(overCluster ? [] : ['test/cluster/**']),
    ],
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
