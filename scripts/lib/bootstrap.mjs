// Runs on plain Node before anything is installed: only built-in modules here, and syntax old Nodes parse.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../..', import.meta.url))

const at = (...parts) => join(root, ...parts)
const INSTALL_STAMP = at('node_modules', '.kasir-lock')
const BUILD_STAMP = at('dist', '.stamp')

/** One sentence instead of a syntax error from the first modern line. */
export function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major > 20 || (major === 20 && minor >= 19)) return
  console.error(
    `Kasir needs Node.js 20.19 or newer, this is ${process.versions.node}: install one from nodejs.org.`,
  )
  process.exit(1)
}

/** Runs a program to its end, its output is ours unless `onError` wants the error stream. Answers its exit code. */
function run(command, args, { onError, ...options } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, stdio: 'inherit', ...options })
    if (onError) child.stderr.setEncoding('utf8').on('data', onError)
    child.once('error', (error) => {
      console.error(`${command} cannot be run: ${error.message}`)
      resolve(127)
    })
    child.once('close', (code, signal) => resolve(signal === null ? (code ?? 1) : 1))
  })
}

export const runNode = (args, options) => run(process.execPath, args, options)

/** The same npm that started us, found without a shell; its name alone when there was none. */
function npm(args, options) {
  const cli = process.env.npm_execpath
  if (cli && /\.[cm]?js$/.test(cli)) return runNode([cli, ...args], options)
  return process.platform === 'win32'
    ? run('npm.cmd', args, { ...options, shell: true })
    : run('npm', args, options)
}

export const npmRun = (script) => npm(['run', '--loglevel=error', script])
const hashOf = (text) => createHash('sha256').update(text).digest('hex')

/** Installs the packages when they are missing or older than the lock file. Leaves with npm's exit code. */
export async function install() {
  const lock = at('package-lock.json')
  const wanted = existsSync(lock) ? hashOf(readFileSync(lock)) : ''
  if (isInstalled(lock, wanted)) return
  console.log('Installing packages (once after every update, a minute or less)')
  // The build needs the development packages, which NODE_ENV=production would leave out.
  const flags = ['--include=dev', '--no-audit', '--no-fund', '--loglevel=error']
  const clean = wanted === '' ? null : await cleanInstall(flags)
  const code = clean ?? (await npm(['install', '--no-save', ...flags]))
  if (code !== 0) {
    console.error('The packages could not be installed; npm says why above.')
    process.exit(code)
  }
  writeFileSync(INSTALL_STAMP, wanted)
}

/**
 * npm refuses a lock file that lacks an optional package of some other platform, which is what npm itself
 * writes when its registry did not have that package. A plain install keeps to the same lock file, so that
 * refusal answers null instead of a code.
 */
async function cleanInstall(flags) {
  let told = ''
  const code = await npm(['ci', ...flags], {
    stdio: ['ignore', 'inherit', 'pipe'],
    onError: (text) => {
      told += text
    },
  })
  if (code !== 0 && told.includes('EUSAGE')) return null
  process.stderr.write(told)
  return code
}

function isInstalled(lock, wanted) {
  const written = at('node_modules', '.package-lock.json')
  if (!existsSync(written)) return false
  if (wanted === '') return true
  if (existsSync(INSTALL_STAMP) && readFileSync(INSTALL_STAMP, 'utf8') === wanted) return true
  // Someone ran npm by hand: npm writes its own note last.
  return statSync(written).mtimeMs >= statSync(lock).mtimeMs
}

/** Compiles src into dist when anything that goes into it changed since the last build. */
export async function build() {
  const sources = readdirSync(at('src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .sort()
  const wanted = hashOf(
    [...sources, at('tsconfig.json'), at('tsconfig.build.json'), at('package-lock.json')]
      .filter((path) => existsSync(path))
      .map((path) => `${relative(root, path)} ${statSync(path).size} ${statSync(path).mtimeMs}`)
      .join('\n'),
  )
  if (existsSync(BUILD_STAMP) && readFileSync(BUILD_STAMP, 'utf8') === wanted) return
  console.log('Building')
  rmSync(BUILD_STAMP, { force: true })
  // Types are checked by npm run check; a start only needs the output.
  const code = await runNode([
    at('node_modules', 'typescript', 'bin', 'tsc'),
    '-p',
    at('tsconfig.build.json'),
    '--noCheck',
  ])
  if (code !== 0) {
    console.error('The build failed; the compiler says why above.')
    process.exit(code)
  }
  dropOrphans(sources)
  writeFileSync(BUILD_STAMP, wanted)
}

/** tsc leaves the output of a deleted source behind. */
function dropOrphans(sources) {
  const known = new Set(sources.map((path) => relative(at('src'), path).replace(/\.ts$/, '')))
  for (const entry of readdirSync(at('dist'), { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath ?? entry.path, entry.name)
    if (entry.isFile() && !known.has(relative(at('dist'), path).replace(/\.js(\.map)?$/, ''))) rmSync(path)
  }
}
