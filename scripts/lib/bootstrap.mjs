// Runs on plain Node before anything is installed: only built-in modules here, and syntax old Nodes parse.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fetchReference } from './reference.mjs'
import { registryFault } from './registry.mjs'
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
 * The packages for a purpose: those of the service, with the compiler if it must be built; the tools for `develop`.
 */
function requirements(purpose) {
  const lock = at('package-lock.json')
  const wanted = existsSync(lock) ? hashOf(readFileSync(lock)) : ''
  const { dependencies = {}, devDependencies = {} } = jsonAt(at('package.json'))
  const { dependencies: ofPartners = {} } = jsonAt(at('reference-partners', 'package.json'))
  const { dependencies: ofWeb = {} } = isWebBuildDue() ? jsonAt(at('web', 'package.json')) : {}
  const tools = Object.keys(devDependencies)
  const isThere = (name) => existsSync(at('node_modules', name))
  const { packages = {} } = jsonAt(lock)
  // A tool that the client needs as well comes with the service: it does not show that someone develops here.
  const isOnlyTool = (name) =>
    name !== COMPILER && (packages[`node_modules/${name}`] ?? { dev: true }).dev === true
  const everything = purpose === 'develop' || tools.some((name) => isOnlyTool(name) && isThere(name))
  const compiler = tools.includes(COMPILER) && isBuildDue() ? [COMPILER] : []
  const service = Object.keys({ ...dependencies, ...ofPartners, ...ofWeb })
  const names = [...service, ...(everything ? tools : compiler)]
  return { lock, wanted, everything, compiler, isMet: isUpToDate(lock, wanted) && names.every(isThere) }
}

export const isInstalled = (purpose) => requirements(purpose).isMet

/** Installs what is missing or older than the lock file. Leaves with npm's exit code. */
export async function install(purpose) {
  const { lock, wanted, everything, compiler, isMet } = requirements(purpose)
  if (isMet) return
  console.log(
    `Installing packages (once after every update, ${everything ? 'a minute' : 'half a minute'} or less)`,
  )
  const flags = ['--no-save', '--no-audit', '--no-fund', '--loglevel=error']
  // A development package alone is asked for as if it were one of the service's.
  const scope = everything ? ['--include=dev'] : ['--omit=dev', '--save-prod', ...compiler.map(pinned(lock))]
  const fault = await registryFault()
  if (fault !== null) {
    console.error(`${fault} Installing from npm's cache instead.`)
    process.env.npm_config_offline = 'true'
  }
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

/**
 * The compiled sources with their targets: the service, the client that its commands use, and the reference partners.
 */
const PROJECTS = [
  { config: 'tsconfig.build.json', from: at('src'), to: at('dist') },
  { config: 'tsconfig.client.json', from: at('client', 'src'), to: at('dist', 'client') },
  {
    config: 'tsconfig.partners.json',
    from: at('reference-partners', 'src'),
    to: at('dist', 'reference-partners'),
  },
]
const sourcesOf = () => PROJECTS.flatMap(({ from }) => filesIn(from))

/** Changes when one of the files does. */
const keyOf = (paths) =>
  hashOf(
    paths
      .filter((path) => existsSync(path))
      .map((path) => `${relative(root, path)} ${statSync(path).size} ${statSync(path).mtimeMs}`)
      .join('\n'),
  )

/** What a build depends on, in short. */
export const buildKey = () =>
  keyOf([
    ...sourcesOf(),
    at('tsconfig.json'),
    ...PROJECTS.map(({ config }) => at(config)),
    at('package-lock.json'),
    at('scripts/lib/reference.mjs'),
  ])

/** The register: Vite bundles its sources with the client and the rules of core. */
const WEB = at('dist', 'web')
const WEB_STAMP = join(WEB, '.stamp')
export const webKey = () =>
  keyOf([
    ...['src', 'public', 'build'].flatMap((folder) => filesIn(at('web', folder))),
    ...filesIn(at('client', 'src')),
    ...filesIn(at('src', 'core')),
    ...['index.html', 'vite.config.ts', 'package.json'].map((name) => at('web', name)),
    at('package-lock.json'),
  ])

/** Whether anything that goes into the register changed since it was built. */
export const isWebBuildDue = () => !existsSync(WEB_STAMP) || readFileSync(WEB_STAMP, 'utf8') !== webKey()

/** Whether anything that goes into the build changed since the last one. */
export const isBuildDue = () => !existsSync(BUILD_STAMP) || readFileSync(BUILD_STAMP, 'utf8') !== buildKey()

/** Builds what changed since the last build: the service, and the register that it serves. */
export async function build() {
  await buildService()
  await buildWeb()
}

async function buildWeb() {
  if (!isWebBuildDue()) return
  console.log('Building the register')
  const wanted = webKey()
  const vite = at('node_modules', 'vite', 'bin', 'vite.js')
  // Vite bundles the slow, large React of developers under any other NODE_ENV, such as that of a test run.
  const env = { ...process.env, NODE_ENV: 'production' }
  const code = await runNode([vite, 'build', at('web'), '--logLevel', 'warn'], { env })
  if (code !== 0) {
    console.error('The register could not be built; Vite says why above.')
    process.exit(code)
  }
  writeFileSync(WEB_STAMP, wanted)
}

async function buildService() {
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
    if (path.startsWith(join(WEB, '/'))) continue
    if (!known.has(path.replace(/\.js(\.map)?$/, '.ts'))) rmSync(path)
  }
}
