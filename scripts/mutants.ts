// npm run mutants [-- WORD]: plants each subtle edit of test/mutants in a copy of the checkout and runs the tests
// that should notice. Names what lived; fails when fewer than nine in ten were killed, or when an edit no longer fits
// its file. Run npm run build first.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Mutant, mutants } from '../test/mutants/index.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const LEAST_KILLED = 0.9
/** A mutant that hangs its tests was noticed. */
const LONGEST_MS = 300_000

/** The tracked and new files of the checkout, so that what is not committed yet is tried as well. */
function copyOf(root: string): string {
  const copy = mkdtempSync(join(tmpdir(), 'kasir-mutants-'))
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], { cwd: root })
  for (const file of listed.toString().split('\0').filter(Boolean)) {
    mkdirSync(dirname(join(copy, file)), { recursive: true })
    cpSync(join(root, file), join(copy, file))
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  // Tests of the service open the built register; what is built of the service itself stays out.
  mkdirSync(join(copy, 'dist'))
  if (existsSync(join(root, 'dist', 'web'))) symlinkSync(join(root, 'dist', 'web'), join(copy, 'dist', 'web'))
  return copy
}

let running: ChildProcess | undefined

/** True when every test passed. */
function pass(root: string, tests: readonly string[]): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')
    const child = spawn(
      process.execPath,
      [vitest, 'run', '--bail', '1', '--testTimeout', '120000', ...tests],
      {
        cwd: root,
        stdio: 'ignore',
        timeout: LONGEST_MS,
      },
    )
    running = child
    child.once('error', reject)
    child.once('close', (code) => resolve(code === 0))
  })
}

/** STALE: the edit no longer fits its file. UNSURE: its tests fail without it as well. */
type Verdict = 'killed' | 'LIVED' | 'STALE' | 'UNSURE'

const untouched = new Map<string, Promise<boolean>>()
const passUntouched = (root: string, tests: readonly string[]) => {
  const known = untouched.get(tests.join(' ')) ?? pass(root, tests)
  untouched.set(tests.join(' '), known)
  return known
}

async function verdictOf(root: string, { file, from, to, tests }: Mutant): Promise<Verdict> {
  const path = join(root, file)
  const source = readFileSync(path, 'utf8')
  if (source.split(from).length !== 2) return 'STALE'
  if (!(await passUntouched(root, tests))) return 'UNSURE'
  writeFileSync(
    path,
    source.replace(from, () => to),
  )
  try {
    return (await pass(root, tests)) ? 'LIVED' : 'killed'
  } finally {
    writeFileSync(path, source)
  }
}

const word = process.argv[2] ?? ''
const chosen = mutants.filter(({ file, breaks }) => `${file}: ${breaks}`.includes(word))
if (chosen.length === 0) throw new Error(`No mutant mentions "${word}"`)
const root = copyOf(ROOT)
process.once('SIGINT', () => {
  running?.kill()
  rmSync(root, { recursive: true, force: true })
  process.exit(130)
})
try {
  const count = { killed: 0, LIVED: 0, STALE: 0, UNSURE: 0 }
  for (const [index, mutant] of chosen.entries()) {
    const began = performance.now()
    const verdict = await verdictOf(root, mutant)
    count[verdict] += 1
    const seconds = ((performance.now() - began) / 1000).toFixed(0)
    console.log(
      `${String(index + 1).padStart(3)} ${verdict} ${seconds.padStart(4)} s  ${mutant.file}: ${mutant.breaks}`,
    )
  }
  const share = count.killed / chosen.length
  console.log(`${count.killed} of ${chosen.length} killed (${Math.round(share * 100)}%)`)
  if (share < LEAST_KILLED || count.STALE + count.UNSURE > 0) process.exitCode = 1
} finally {
  rmSync(root, { recursive: true, force: true })
}
