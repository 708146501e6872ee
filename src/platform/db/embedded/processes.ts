import { execFile } from 'node:child_process'
import { readdir, readFile, readlink, rm, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { program } from './binaries.ts'
import { orNull, StartError, systemCode } from './fault.ts'
import { bareEnvironment } from './runner.ts'

const run = promisify(execFile)

type PidFile = { pid: number; port: number; socketDir: string; status: string }

/** Where the socket goes when the cluster's own path is too long for one. */
export const SPARE_SOCKET_HOME = '/tmp/kasir-socket-'

export async function readPidFile(cluster: string): Promise<PidFile | null> {
  const text = await orNull(readFile(join(cluster, 'postmaster.pid'), 'utf8'))
  if (text === null) return null
  const [pid, , , port, socketDir, , , status] = text.split('\n').map((line) => line.trim())
  return {
    pid: Number(pid || Number.NaN),
    port: Number(port),
    socketDir: socketDir ?? '',
    status: status ?? '',
  }
}

/**
 * Whether a process is PostgreSQL at work in this cluster. Ids are reused, so the number alone proves
 * nothing: all of PostgreSQL's processes run inside the data directory.
 */
export async function isPostgresOf(pid: number, cluster: string): Promise<boolean> {
  if (!Number.isSafeInteger(pid) || pid <= 1) return false
  if (process.platform === 'linux') {
    const lost = ['ENOENT', 'ESRCH', 'EACCES', 'EPERM']
    const at = await orNull(readlink(`/proc/${pid}/cwd`), ...lost)
    const name = await orNull(readFile(`/proc/${pid}/comm`, 'utf8'), ...lost)
    return at === cluster && (name ?? '').startsWith('postgres')
  }
  const [command, flags] =
    process.platform === 'win32'
      ? ['tasklist', ['/FI', `PID eq ${pid}`, '/FO', 'CSV', '/NH']]
      : ['ps', ['-ww', '-o', 'command=', '-p', String(pid)]]
  const told = await run(command, flags).then(
    ({ stdout }) => stdout,
    () => '',
  )
  return told.includes('postgres') && (process.platform === 'win32' || told.includes(cluster))
}

export async function signalPostgres(
  bin: string,
  pid: number,
  signal: 'SIGINT' | 'SIGQUIT' | 'SIGKILL',
): Promise<void> {
  if (process.platform === 'win32' && signal !== 'SIGKILL') {
    const name = signal.slice('SIG'.length)
    await run(program(bin, 'pg_ctl'), ['kill', name, String(pid)], { env: bareEnvironment() }).catch(
      () => null,
    )
    return
  }
  try {
    process.kill(pid, signal)
  } catch (error) {
    if (systemCode(error) !== 'ESRCH') throw error
  }
}

async function everyPostgresOf(cluster: string): Promise<number[]> {
  if (process.platform !== 'linux') return []
  const ids = (await readdir('/proc')).map(Number).filter((id) => Number.isInteger(id))
  const ours = await Promise.all(ids.map((id) => isPostgresOf(id, cluster)))
  return ids.filter((_, index) => ours[index])
}

async function gone(alive: () => Promise<boolean>, withinMs: number): Promise<boolean> {
  const until = performance.now() + withinMs
  while (await alive()) {
    if (performance.now() > until) return false
    await sleep(10)
  }
  return true
}

/**
 * Brings the cluster to rest: stops a postmaster that an earlier run left behind, waits for children of a
 * dead one, removes what names processes that no longer exist. Call it only while holding the lock.
 * Answers what was found, in sentences for the operator.
 */
export async function clearRemains(cluster: string, bin: string): Promise<string[]> {
  const file = await readPidFile(cluster)
  if (file === null) return []
  if (await isPostgresOf(file.pid, cluster)) {
    await stopOrphan(file.pid, cluster, bin)
    // Its file outlives it when it was dying already, from a kill -9, as we came.
    if ((await readPidFile(cluster)) === null) {
      return [`stopped the PostgreSQL (process ${file.pid}) that an earlier run left behind`]
    }
  }
  await stopChildren(cluster, bin)
  // With the number of a stranger, or none, in these files PostgreSQL would refuse to start.
  if (file.socketDir.startsWith(SPARE_SOCKET_HOME)) await dropSocketDir(file.socketDir)
  const names = (await readdir(cluster)).filter(
    (name) => name === 'postmaster.pid' || name.startsWith('.s.PGSQL.'),
  )
  for (const name of names) await rm(join(cluster, name), { force: true })
  return [
    'the last run ended abruptly; PostgreSQL is replaying its log, and nothing that was confirmed is lost',
  ]
}

/** Names its files one by one: what a pid file points to is never removed with all that is in it. */
export async function dropSocketDir(directory: string): Promise<void> {
  for (const name of ['.s.PGSQL.5432', '.s.PGSQL.5432.lock']) await rm(join(directory, name), { force: true })
  await rmdir(directory).catch(() => null)
}

async function stopOrphan(pid: number, cluster: string, bin: string): Promise<void> {
  const alive = () => isPostgresOf(pid, cluster)
  for (const [signal, ms] of [
    ['SIGINT', 10_000],
    ['SIGQUIT', 5000],
    ['SIGKILL', 2000],
  ] as const) {
    await signalPostgres(bin, pid, signal)
    if (await gone(alive, ms)) return
  }
  throw new StartError(
    'DATABASE_FAILED',
    `A PostgreSQL from an earlier run (process ${pid}) will not stop: end it, then start again.`,
  )
}

/** Children of a dead postmaster leave by themselves, but only between two statements. */
async function stopChildren(cluster: string, bin: string): Promise<void> {
  const alive = async () => (await everyPostgresOf(cluster)).length > 0
  for (const [signal, ms] of [
    [null, 300],
    ['SIGQUIT', 2000],
    ['SIGKILL', 2000],
  ] as const) {
    if (signal !== null) {
      for (const pid of await everyPostgresOf(cluster)) await signalPostgres(bin, pid, signal)
    }
    if (await gone(alive, ms)) return
  }
  throw new StartError(
    'DATABASE_FAILED',
    `Processes of an earlier PostgreSQL are still working in ${cluster}: end them, then start again.`,
  )
}
