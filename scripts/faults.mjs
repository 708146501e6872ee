// npm run faults -- --seed N: breaks an installation on this machine while tills sell, at moments drawn from the seed N (1).
// --short breaks each part a few times, in two minutes; the whole run takes at most twenty. A last word such as `kills`
// runs one file of test/faults.
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { build, install, requireNode } from './lib/bootstrap.mjs'
import { root, runNode } from './lib/run.mjs'

requireNode()
if (process.platform !== 'linux') {
  console.error('npm run faults needs Linux: it finds the processes of PostgreSQL in /proc.')
  process.exit(2)
}
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seed: { type: 'string', default: '1' }, short: { type: 'boolean', default: false } },
})
if (!/^[1-9]\d*$/.test(values.seed)) {
  console.error(`--seed must be a whole number from 1, not "${values.seed}"`)
  process.exit(2)
}
await install('develop')
await build()
const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')
const config = join('test', 'faults', 'vitest.config.ts')
const began = performance.now()
const code = await runNode([vitest, 'run', `--config=${config}`, ...positionals], {
  env: { ...process.env, FAULTS_SEED: values.seed, FAULTS_SHORT: values.short ? '1' : '0' },
})
const seconds = ((performance.now() - began) / 1000).toFixed(0)
const form = values.short ? ' --short' : ''
console.log(`faults: ${code === 0 ? 'passed' : 'FAILED'} in ${seconds} s (--seed ${values.seed}${form})`)
process.exitCode = code
