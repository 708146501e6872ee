// npm run nights: rehearses the bad nights of an operator against the built service: a closed terminal, a boot
// with backup and service together, and power cuts at random moments, on one Linux machine, as root or not. NIGHTS_CUTS=<number>
// cuts each command so often (4; about 20 minutes on two cores). NIGHTS_SEED=<number> cuts at the same points of each command
// as an earlier run; `-- power-cut` runs one file of test/nights. `-- long-life` lets one installation live for a simulated day;
// it runs only by its name and takes an hour, or LONG_LIFE_MINUTES=<number>. `-- boards` keeps 40 boards open for a simulated
// hour; it runs only by its name as well.
import { randomInt } from 'node:crypto'
import { join } from 'node:path'
import { build, install, requireNode } from './lib/bootstrap.mjs'
import { root, runNode } from './lib/run.mjs'

requireNode()
if (process.platform !== 'linux') {
  console.error('npm run nights needs Linux: it finds the processes of a power cut in /proc.')
  process.exit(2)
}
if (!/^[1-9]\d*$/.test(process.env.NIGHTS_CUTS ?? '4')) {
  console.error(`NIGHTS_CUTS must be a whole number from 1, not "${process.env.NIGHTS_CUTS}"`)
  process.exit(2)
}
const isLongLife = process.argv.some((word) => word.includes('long-life'))
const minutes = process.env.LONG_LIFE_MINUTES ?? (isLongLife ? '60' : '0')
if (!/^\d+$/.test(minutes) || (isLongLife && Number(minutes) < 12)) {
  console.error(`LONG_LIFE_MINUTES must be a whole number from 12, not "${minutes}"`)
  process.exit(2)
}
const boardsMinutes = process.argv.includes('boards') ? '2.5' : '0'
await install('develop')
await build()
const seed = process.env.NIGHTS_SEED ?? String(randomInt(1_000_000))
console.log(
  `Seed ${seed} (NIGHTS_SEED=${seed} npm run nights cuts the power at the same points of each command)`,
)
const began = performance.now()
const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')
const config = join('test', 'nights', 'vitest.config.ts')
const code = await runNode([vitest, 'run', `--config=${config}`, ...process.argv.slice(2)], {
  env: { ...process.env, NIGHTS_SEED: seed, LONG_LIFE_MINUTES: minutes, BOARDS_MINUTES: boardsMinutes },
})
const seconds = ((performance.now() - began) / 1000).toFixed(0)
console.log(`nights: ${code === 0 ? 'passed' : 'FAILED'} in ${seconds} s`)
process.exitCode = code
