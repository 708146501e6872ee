// npm run test:cluster: the tests that a cluster must pass as one PostgreSQL does, and those of workers that are lost. It runs
// over the cluster whose coordinator is at CLUSTER_URL, as an administrator of every node: its databases kasir_template and
// kasir_test_* are made and dropped; otherwise over one that a script makes for it. `-- --short` runs fewer.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { install, requireNode } from './lib/bootstrap.mjs'
import { findScript, makeCluster, NO_CLUSTER, NOT_ROOT } from './lib/cluster.mjs'
import { root, runNode } from './lib/run.mjs'
import { lineOf, secondsOfFiles } from './lib/seconds.mjs'

const SHORT = [
  'test/cluster',
  'test/races/in-steps.test.ts',
  'test/areas/insight/live/stream.test.ts',
  'test/areas/insight/reports.test.ts',
  'test/areas/insight/webhooks/delivery.test.ts',
  'test/areas/selling/sales/sell.test.ts',
  'test/areas/selling/sales/two-forms.test.ts',
]
const WHOLE = [
  'test/cluster',
  'test/areas',
  'test/races',
  'test/table/idempotency.test.ts',
  'test/platform/sweep.test.ts',
]

/** Files of these that a cluster cannot run or need not, each with the reason. */
const EXCLUDED = {
  'test/races/kill.test.ts': 'it kills a service with the embedded database that it brings along',
  'test/races/kill-in-steps.test.ts': 'it kills a service with the embedded database that it brings along',
  'test/races/webhooks-kill.test.ts': 'it kills a service with the embedded database that it brings along',
}

const KILLING = 'test/cluster/killed.test.ts'
/** It measures what tills wait for while shards move, for more than a minute. */
const MOVING = 'test/cluster/rebalance.test.ts'
/** Run after all others, one at a time: other files would notice, or be noticed. They need the folder of the cluster. */
const ALONE = [MOVING, KILLING]

const isShort = process.argv.includes('--short')
const script = findScript()
requireNode()

async function main() {
  const given = process.env.CLUSTER_URL
  if (!given && script === null) return leave(NO_CLUSTER)
  if (!given && process.getuid?.() !== 0) return leave(NOT_ROOT)
  await install('develop')
  const began = performance.now()
  const cluster = given
    ? { url: given, folder: process.env.CLUSTER_DIR, remove: async () => {} }
    : await makeCluster(script)
  const stop = async (signal) => {
    await cluster.remove()
    process.exit(signal === 'SIGINT' ? 130 : 143)
  }
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void stop(signal))
  try {
    process.exitCode = await runTests(cluster)
  } finally {
    await cluster.remove()
  }
  const name = isShort ? 'cluster, short' : 'cluster'
  const outcome = process.exitCode === 0 ? 'passed' : 'FAILED'
  console.log(`${name}: ${outcome} in ${((performance.now() - began) / 1000).toFixed(0)} s`)
}

function leave(sentence) {
  console.error(sentence)
  process.exitCode = 2
}

async function runTests({ url, folder }) {
  const canKill = script !== null && folder !== undefined
  if (!canKill)
    console.log(
      'No worker is killed or added: without CLUSTER_SCRIPT and CLUSTER_DIR nobody here can start it again.',
    )
  const env = {
    ...process.env,
    TEST_CLUSTER_URL: url,
    ...(canKill ? { TEST_CLUSTER_SCRIPT: script, TEST_CLUSTER_DIR: folder } : {}),
  }
  const asked = process.argv.slice(2).filter((arg) => arg !== '--short')
  const named = asked.length > 0 ? asked : isShort ? SHORT : WHOLE
  const files = named.filter((file) => !ALONE.includes(file))
  const last = asked.length > 0 ? ALONE.filter((file) => asked.includes(file)) : isShort ? [KILLING] : ALONE
  // Tests wait for several nodes, and for what the nodes say to each other.
  const vitest = (...args) =>
    runNode(
      [
        `${root}/node_modules/vitest/vitest.mjs`,
        'run',
        '--testTimeout=120000',
        '--hookTimeout=120000',
        ...args,
      ],
      {
        env,
      },
    )
  let code = files.length > 0 ? await runTogether(vitest, files) : 0
  for (const file of canKill ? last : []) code = (await vitest(file)) || code
  return code
}

async function runTogether(vitest, files) {
  const report = join(await mkdtemp(join(tmpdir(), 'kasir-cluster-report-')), 'report.json')
  const excluded = [...Object.keys(EXCLUDED), ...ALONE].map((file) => `--exclude=${file}`)
  const code = await vitest(
    '--reporter=default',
    '--reporter=json',
    `--outputFile=${report}`,
    ...excluded,
    ...files,
  )
  await printTimes(report)
  return code
}

/** The seconds of each test file, the slowest first; two files run at a time. */
async function printTimes(report) {
  const text = await readFile(report, 'utf8').catch(() => null)
  await rm(dirname(report), { recursive: true, force: true })
  if (text === null) return
  const files = secondsOfFiles(JSON.parse(text))
  console.log(`Seconds of each of ${files.length} files:`)
  for (const file of files) console.log(lineOf(file))
}

await main()
