// Runs on plain Node before anything is installed: only built-in modules here, and syntax old Nodes parse.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fetchReference } from './reference.mjs'
import { npm, root, runNode } from './run.mjs'

const at = (...parts) => join(root, ...parts)
const INSTALL_STAMP = at('node_modules', '.kasir-lock')
const BUILD_STAMP = at('dist', '.stamp')
const COMPILER = 'typescript'

/** One sentence instead of a syntax error from the first modern line. */
export function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major > 20 || (major === 20 && minor >= 19)) return
  console.error(
    `Kasir needs Node.js 20.19 or newer, this is ${process.versions.node}: install one from nodejs.org.`,
  )
  process.exit(1)
}

const hashOf = (text) => createHash('sha256').update(text).digest('hex')
const jsonAt = (path) => (existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {})

/**
 * Installs what is missing or older than the lock file: for `serve` the packages of the service, with the compiler when
 * there is something to build; for `develop` the tools of the checks and tests as well. Leaves with npm's exit code.
 */
export async function install(purpose) {
  const lock = at('package-lock.json')
  const wanted = existsSync(lock) ? hashOf(readFileSync(lock)) : ''
  const { dependencies = {}, devDependencies = {} } = jsonAt(at('package.json'))
  const tools = Object.keys(devDependencies)
  const isThere = (name) => existsSync(at('node_modules', name))
  const everything = purpose === 'develop' || tools.some((name) => name !== COMPILER && isThere(name))
  const compiler = tools.includes(COMPILER) && isBuildDue() ? [COMPILER] : []
  const names = [...Object.keys(dependencies), ...(everything ? tools : compiler)]
  if (isUpToDate(lock, wanted) && names.every(isThere)) return
  console.log(
    `Installing packages (once after every update, ${everything ? 'a minute' : 'half a minute'} or less)`,
  )
  const flags = ['--no-save', '--no-audit', '--no-fund', '--loglevel=error']
  // A development package alone is asked for as if it were one of the service's.
  const scope = everything ? ['--include=dev'] : ['--omit=dev', '--save-prod', ...compiler.map(pinned(lock))]
  const code = await npm(['install', ...flags, ...scope])
  if (code !== 0) {
    console.error('The packages could not be installed; npm says why above.')
    process.exit(code)
  }
  writeFileSync(INSTALL_STAMP, wanted)
}

const pinned = (lock) => (name) => {
  const version = jsonAt(lock).packages?.[`node_modules/${name}`]?.version
  return version === undefined ? name : `${name}@${version}`
}

function isUpToDate(lock, wanted) {
  const written = at('node_modules', '.package-lock.json')
  if (!existsSync(written)) return false
  if (wanted === '') return true
  if (existsSync(INSTALL_STAMP) && readFileSync(INSTALL_STAMP, 'utf8') === wanted) return true
  // Someone ran npm by hand: npm writes its own note last.
  return statSync(written).mtimeMs >= statSync(lock).mtimeMs
}

const filesIn = (folder) =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
        .sort()
    : []

/** What is compiled, and where to: the service, and the client that its commands speak through. */
const PROJECTS = [
  { config: 'tsconfig.build.json', from: at('src'), to: at('dist') },
  { config: 'tsconfig.client.json', from: at('client', 'src'), to: at('dist', 'client') },
]
const sourcesOf = () => PROJECTS.flatMap(({ from }) => filesIn(from))

/** What a build depends on, in short. */
export const buildKey = () =>
  hashOf(
    [
      ...sourcesOf(),
      at('tsconfig.json'),
      ...PROJECTS.map(({ config }) => at(config)),
      at('package-lock.json'),
      at('scripts/lib/reference.mjs'),
    ]
      .filter((path) => existsSync(path))
      .map((path) => `${relative(root, path)} ${statSync(path).size} ${statSync(path).mtimeMs}`)
      .join('\n'),
  )

/** Whether anything that goes into the build changed since the last one. */
export const isBuildDue = () => !existsSync(BUILD_STAMP) || readFileSync(BUILD_STAMP, 'utf8') !== buildKey()

/** Compiles what `PROJECTS` names when anything that goes into it changed since the last build. */
export async function build() {
  if (!isBuildDue()) return
  console.log('Building')
  const wanted = buildKey()
  rmSync(BUILD_STAMP, { force: true })
  const fault = await fetchReference()
  if (fault !== null) {
    console.error(`The page for /docs is missing: ${fault}.`)
    process.exit(1)
  }
  // Types are checked by npm run check, with packages that a build does without.
  const tsc = at('node_modules', COMPILER, 'bin', 'tsc')
  for (const { config } of PROJECTS) {
    const code = await runNode([tsc, '-p', at(config)])
    if (code === 0) continue
    console.error('The build failed; the compiler says why above.')
    process.exit(code)
  }
  dropOrphans()
  writeFileSync(BUILD_STAMP, wanted)
}

/** tsc leaves the output of a deleted source behind. */
function dropOrphans() {
  const known = new Set(
    PROJECTS.flatMap(({ from, to }) => filesIn(from).map((path) => join(to, relative(from, path)))),
  )
  for (const path of filesIn(at('dist'))) {
    if (!known.has(path.replace(/\.js(\.map)?$/, '.ts'))) rmSync(path)
  }
}
