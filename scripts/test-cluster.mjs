// npm run test:cluster: the tests that tell a cluster from one PostgreSQL, over the one whose coordinator is at CLUSTER_URL, as
// an administrator of every node: its databases kasir_template and kasir_test_* are made and dropped. `-- --short` runs fewer.
import { join } from 'node:path'
import { root, runNode } from './lib/run.mjs'

const SHORT = ['test/cluster', 'test/races/sales.test.ts', 'test/areas/insight/webhooks']
const WHOLE = [...SHORT, 'test/areas/partners', 'test/areas/marketing', 'test/platform/sweep.test.ts']

/** Files of these that a cluster cannot run, each with the reason. */
const EXCLUDED = {
  'test/areas/marketing/abandoned-carts.test.ts':
    'it ages bills by an update whose interval depends on a column, which Citus refuses',
}

const url = process.env.CLUSTER_URL
if (!url) {
  console.error('Set CLUSTER_URL to the coordinator of a cluster, as an administrator (docs/scaling.md).')
  process.exit(2)
}
process.env.TEST_CLUSTER_URL = url
const chosen = process.argv.includes('--short') ? SHORT : WHOLE
const excluded = Object.keys(EXCLUDED).map((file) => `--exclude=${file}`)
process.exitCode = await runNode([
  join(root, 'node_modules', 'vitest', 'vitest.mjs'),
  'run',
  // Tests wait for several nodes, and for what the nodes say to each other.
  '--testTimeout=120000',
  ...excluded,
  ...chosen,
])
