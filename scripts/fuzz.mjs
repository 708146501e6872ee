// npm run fuzz -- --seed N --runs M: sends M random requests (20,000) to the service, from the seed N (1).
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { install, requireNode } from './lib/bootstrap.mjs'
import { root, runNode } from './lib/run.mjs'

requireNode()
const { values } = parseArgs({
  options: { seed: { type: 'string', default: '1' }, runs: { type: 'string', default: '20000' } },
})
for (const [name, value] of Object.entries(values)) {
  if (/^[1-9]\d*$/.test(value)) continue
  console.error(`--${name} must be a whole number from 1, not "${value}"`)
  process.exit(2)
}
await install('develop')
const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')
const began = performance.now()
const code = await runNode([vitest, 'run', '--config=test/fuzz/vitest.config.ts'], {
  env: { ...process.env, FUZZ_SEED: values.seed, FUZZ_RUNS: values.runs },
})
const seconds = ((performance.now() - began) / 1000).toFixed(0)
console.log(
  `fuzz: ${code === 0 ? 'passed' : 'FAILED'} in ${seconds} s (--seed ${values.seed} --runs ${values.runs})`,
)
process.exitCode = code
