// npm test: install what is missing, check, build, test. With arguments only vitest runs: npm test -- test/core/tax.test.ts
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { build, install, requireNode } from './lib/bootstrap.mjs'
import { npmRun, root, runNode } from './lib/run.mjs'
import { lineOf, secondsOfFiles } from './lib/seconds.mjs'

const REPORT = join('.tmp', 'vitest.json')
/** The file in which tests of a complete run record refusals. */
const REFUSALS = join(root, '.tmp', 'refusals')
/** Test files whose seconds are printed after a whole run. */
const SLOWEST = 10

async function step(name, work) {
  const began = performance.now()
  const code = await work()
  console.log(
    `${name}: ${code === 0 ? 'passed' : 'FAILED'} in ${((performance.now() - began) / 1000).toFixed(1)} s`,
  )
  if (code !== 0) process.exitCode = code
  return code === 0
}

function runTests(args) {
  mkdirSync(join(root, '.tmp'), { recursive: true })
  rmSync(join(root, REPORT), { force: true })
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${REPORT}`]
  const env = args.length > 0 ? process.env : { ...process.env, REFUSALS_SEEN: emptied(REFUSALS) }
  return runNode([join(root, 'node_modules', 'vitest', 'vitest.mjs'), 'run', ...reporters, ...args], { env })
}

function emptied(folder) {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  return folder
}

function printReport(report) {
  const { numPassedTests, numFailedTests, numPendingTests } = report
  if (asked.length === 0) {
    console.log(`Seconds of the ${SLOWEST} slowest test files:`)
    for (const file of secondsOfFiles(report).slice(0, SLOWEST)) console.log(lineOf(file))
  }
  const skipped = numPendingTests > 0 ? `, ${numPendingTests} skipped` : ''
  console.log(`${numPassedTests} passed, ${numFailedTests} failed${skipped}`)
}

/** Only a complete run meets all refusals. */
const checkRefusals = () => runNode(['--import', 'tsx', join('scripts', 'check-refusals.ts'), REFUSALS])

requireNode()
await install('develop')
const asked = process.argv.slice(2)
const checked = asked.length > 0 || (await step('check', () => npmRun('check')))
if (process.env.CI && asked.length === 0) await step('audit', () => npmRun('audit'))
// The tests that start Kasir as a process start what was built; without arguments it always is the source of today.
if (checked && asked.length === 0) await build()
if (checked) {
  const passed = await step('tests', () => runTests(asked))
  if (existsSync(join(root, REPORT))) printReport(JSON.parse(readFileSync(join(root, REPORT), 'utf8')))
  if (passed && asked.length === 0) await step('refusals', checkRefusals)
}
