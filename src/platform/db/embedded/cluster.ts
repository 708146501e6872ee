import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  lstat,
  mkdir,
  open,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  rmdir,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { totalmem } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { nullOnCodes, StartError, systemCode } from '../../../core/fault.ts'
import { syncDirectory } from '../../files/directory.ts'
import { type Binaries, makeSharedHome, program, sharedHome } from './binaries.ts'
import { bareEnvironment, canEnter, changeOwner, type Runner } from './runner.ts'

const run = promisify(execFile)

/** Created with the cluster, and used only during the start (roles.ts). */
export const SUPERUSER = 'kasir'
/** Owns the database and its contents, and has no other rights: no files, no programs, no other roles. */
export const SERVICE_ROLE = 'kasir_service'
const OUR_SETTINGS = 'kasir.conf'

/** Returns the real directory of the cluster, or null before the first run. */
export async function existingCluster(dataDir: string): Promise<string | null> {
  const path = join(dataDir, 'postgres')
  const real = await nullOnCodes(realpath(path))
  if (real === null) {
    if ((await nullOnCodes(lstat(path))) === null) return null
    throw new StartError(
      'DATA_DIR_UNUSABLE',
      `${path} points to a directory that no longer exists: restore it, or remove the link to start with an empty database.`,
    )
  }
  const inside = await nullOnCodes(readdir(real), 'EACCES', 'EPERM')
  if (inside === null) {
    throw new StartError(
      'DATA_DIR_UNUSABLE',
      `The database in ${real} belongs to another user: start Kasir as that user or as root.`,
    )
  }
  if (inside.includes('PG_VERSION')) return real
  if (inside.length > 0) {
    throw new StartError(
      'DATA_DIR_UNUSABLE',
      `${path} holds files but no database: move them away, or set another DATA_DIR.`,
    )
  }
  await rmdir(real)
  return null
}

/** Throws if the existing cluster does not suit this release or user. It is never moved or rewritten. */
export async function checkFit(cluster: string, major: number, runner: Runner): Promise<void> {
  if (!(await canEnter(runner, cluster))) {
    throw new StartError(
      'DATA_DIR_UNUSABLE',
      `The database in ${cluster} is owned by ${runner.name}, who cannot enter that directory: move DATA_DIR to a directory other users may enter, such as /srv/kasir.`,
    )
  }
  const written = Number.parseInt(await readFile(join(cluster, 'PG_VERSION'), 'utf8'), 10)
  if (written === major) return
  throw new StartError(
    'DATA_DIR_UNUSABLE',
    `The database in ${cluster} was written by PostgreSQL ${written} and this release brings ${major}: back it up with the release that wrote it and restore it here.`,
  )
}

type Creation = {
  dataDir: string
  binaries: Binaries
  runner: Runner
  sync: boolean
  say: (line: string) => void
  password: string | null
}

/** Creates a cluster next to its final place and then renames it, so that a crash leaves no partial one. */
export async function createCluster({
  dataDir,
  binaries,
  runner,
  sync,
  say,
  password,
}: Creation): Promise<string> {
  for (const name of await readdir(dataDir)) {
    if (name.startsWith('postgres.new-')) await rm(join(dataDir, name), { recursive: true, force: true })
  }
  const home = await reachableHome(dataDir, runner)
  const staging = join(home, `postgres.new-${randomBytes(4).toString('hex')}`)
  const asked = { bin: binaries.bin, major: binaries.major, directory: staging, runner, sync, password }
  try {
    await mkdir(staging, { mode: 0o700 })
    await changeOwner(runner, staging)
    await initialise({ ...asked, ctype: process.platform === 'win32' ? 'C' : 'C.UTF-8' }).catch(
      async (error: Error) => {
        // Trigrams of é need a UTF-8 character type; a system without C.UTF-8 gets ASCII trigrams only.
        if (!/locale/.test(error.message)) throw error
        await initialise({ ...asked, ctype: 'C' })
      },
    )
    await includeSettings(staging)
    if (home === dataDir) {
      await rename(staging, join(dataDir, 'postgres'))
      // Without this a power cut may undo the rename, and the next start would remove the cluster.
      await syncDirectory(dataDir)
      return realpath(join(dataDir, 'postgres'))
    }
    const place = join(
      home,
      `${basename(dirname(dataDir))}-${basename(dataDir)}-${randomBytes(4).toString('hex')}`,
    )
    await rename(staging, place)
    await syncDirectory(home)
    await symlink(place, join(dataDir, 'postgres'))
    await syncDirectory(dataDir)
    say(`PostgreSQL runs as ${runner.name}, who cannot enter ${dataDir}: the database files are in ${place}`)
    return realpath(place)
  } catch (error) {
    await rm(staging, { recursive: true, force: true })
    if (error instanceof StartError) throw error
    const why = error instanceof Error ? error.message.trim() : String(error)
    throw new StartError('DATA_DIR_UNUSABLE', `No database can be created in ${home}: ${why}`)
  }
}

/** Makes PostgreSQL read Kasir's settings. initdb synced the file before this line was added. */
async function includeSettings(cluster: string): Promise<void> {
  const file = await open(join(cluster, 'postgresql.conf'), 'a')
  try {
    await file.appendFile(
      `\n# The defaults of Kasir; settings below this line win over them.\ninclude_if_exists = '${OUR_SETTINGS}'\n`,
    )
    await file.sync()
  } finally {
    await file.close()
  }
}

async function reachableHome(dataDir: string, runner: Runner): Promise<string> {
  if (await canEnter(runner, dataDir)) return dataDir
  try {
    await makeSharedHome()
    if (await canEnter(runner, sharedHome)) return sharedHome
  } catch (error) {
    if (!['EACCES', 'EROFS', 'EPERM'].includes(systemCode(error))) throw error
  }
  throw new StartError(
    'DATA_DIR_UNUSABLE',
    `PostgreSQL runs as ${runner.name}, who cannot enter ${dataDir} or ${sharedHome}: set DATA_DIR to a directory outside of /root, such as /srv/kasir.`,
  )
}

type Initialisation = Binaries & {
  directory: string
  runner: Runner
  sync: boolean
  ctype: string
  password: string | null
}

async function initialise(asked: Initialisation): Promise<void> {
  const { bin, major, directory, runner, sync, ctype, password } = asked
  const secret = join(dirname(directory), `.${basename(directory)}`)
  if (password !== null) await writeFile(secret, password, { mode: 0o600 })
  const access =
    password === null
      ? // The socket is in a directory that only the owner (and root) may enter, and nothing listens on TCP.
        ['--auth-local=trust', '--auth-host=reject']
      : ['--auth=scram-sha-256', `--pwfile=${secret}`]
  // Indexes depend on the sort order. Byte order is the same on every system and version; ICU's is not.
  const provider = major >= 17 ? ['--locale-provider=builtin', '--builtin-locale=C.UTF-8'] : []
  const locale = ['--encoding=UTF8', '--locale=C', `--lc-ctype=${ctype}`, ...provider]
  const flags = [`--username=${SUPERUSER}`, ...locale, ...access, ...(sync ? [] : ['--no-sync'])]
  try {
    await run(program(bin, 'initdb'), ['-D', directory, ...flags], {
      ...runner.ids,
      cwd: process.platform === 'win32' ? directory : '/',
      env: bareEnvironment(),
    })
  } catch (error) {
    if (systemCode(error) === 'ENOENT') {
      throw new Error(
        'the packaged PostgreSQL does not run on this system (it needs glibc); set DATABASE_URL.',
      )
    }
    const told = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : ''
    throw new Error(told || (error instanceof Error ? error.message : String(error)))
  } finally {
    if (password !== null) await rm(secret, { force: true })
  }
}

/** Written at every start so that a new release updates old clusters; the operator's own lines still win. */
export async function writeSettings(cluster: string, runner: Runner): Promise<void> {
  const path = join(cluster, OUR_SETTINGS)
  const lines = Object.entries(settingsFor(totalmem())).map(([name, value]) => `${name} = ${value}`)
  const text = `# Written by Kasir at every start: change postgresql.conf instead.\n${lines.join('\n')}\n`
  if ((await nullOnCodes(readFile(path, 'utf8'))) === text) return
  await writeFile(path, text, { mode: 0o600 })
  await changeOwner(runner, path)
}

function settingsFor(memoryBytes: number): Record<string, string> {
  const memoryMb = Math.floor(memoryBytes / 2 ** 20)
  return {
    max_connections: '100',
    shared_buffers: `${Math.min(256, Math.max(128, Math.floor(memoryMb / 8)))}MB`,
    effective_cache_size: `${Math.max(256, Math.floor(memoryMb / 2))}MB`,
    work_mem: '8MB',
    maintenance_work_mem: '64MB',
    // Checkpoints run by time, not by volume. The log still replays in a few seconds after a crash.
    max_wal_size: '2GB',
    wal_compression: 'on',
    random_page_cost: '1.1',
    // After a large import a shop sells at a fraction of its speed until the new rows are analyzed.
    autovacuum_naptime: '15s',
    // Every statement of a till is short: compiling it costs more than running it.
    jit: 'off',
    timezone: `'UTC'`,
    log_timezone: `'UTC'`,
    // Failed statements contain customers' data, which does not belong in a log file.
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
    log_checkpoints: 'off',
  }
}
