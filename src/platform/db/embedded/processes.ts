import { execFile } from 'node:child_process'
import { readdir, readFile, readlink, rm, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { nullOnCodes, StartError, systemCode } from '../../../core/fault.ts'
import { program } from './binaries.ts'
import { bareEnvironment } from './runner.ts'
import { connectFault, POSTGRES_SOCKET } from './socket.ts'

const run = promisify(execFile)

export type PidFile = { pid: number; port: number; socketDir: string; status: string }

/** The socket goes here if its path inside the cluster would be too long. */
export const SPARE_SOCKET_HOME = '/tmp/kasir-socket-'

export async function readPidFile(cluster: string): Promise<PidFile | null> {
  const text = await nullOnCodes(readFile(join(cluster, 'postmaster.pid'), 'utf8'))
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
 * Whether a process is a PostgreSQL of this cluster. Process ids are reused, so the id alone proves nothing; every
 * PostgreSQL process has the data directory as its working directory.
 */
export async function isPostgresOf(pid: number, cluster: string): Promise<boolean> {
  if (!Number.isSafeInteger(pid) || pid <= 1) return false
  if (process.platform === 'linux') {
    const lost = ['ENOENT', 'ESRCH', 'EACCES', 'EPERM']
    const at = await nullOnCodes(readlink(`/proc/${pid}/cwd`), ...lost)
    const name = await nullOnCodes(readFile(`/proc/${pid}/comm`, 'utf8'), ...lost)
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

async function hasEnded(alive: () => Promise<boolean>, withinMs: number): Promise<boolean> {
  const until = performance.now() + withinMs
  while (await alive()) {
    if (performance.now() > until) return false
    await sleep(10)
  }
  return true
}

/**
 * Cleans up after an earlier run: stops its postmaster, waits for children of a dead one, and removes files that name
 * processes which no longer exist. Returns the repairs, in sentences for the operator. Call it only while holding the
 * lock.
 */
export async function clearRemains(cluster: string, bin: string): Promise<string[]> {
  const file = await readPidFile(cluster)
  if (file === null) return []
  if (await isPostgresOf(file.pid, cluster)) {
    await stopOrphan(file.pid, cluster, bin)
    // If the file still exists, the postmaster was already dying from a kill -9.
    if ((await readPidFile(cluster)) === null) {
      return [`stopped the PostgreSQL (process ${file.pid}) that an earlier run left behind`]
    }
  }
  await stopChildren(cluster, bin)
  await requireNoOther(cluster)
  // PostgreSQL refuses to start if these files name an unrelated process, or none.
  if (file.socketDir.startsWith(SPARE_SOCKET_HOME)) await dropSocketDir(file.socketDir)
  const names = (await readdir(cluster)).filter(
    (name) => name === 'postmaster.pid' || name.startsWith('.s.PGSQL.'),
  )
  for (const name of names) await rm(join(cluster, name), { force: true })
  return [
    'the last run ended abruptly; PostgreSQL is replaying its log, and nothing that was confirmed is lost',
  ]
}

/** A PostgreSQL in another container has no process id here. A second one on the same files would destroy them. */
async function requireNoOther(cluster: string): Promise<void> {
  if ((await connectFault(join(cluster, POSTGRES_SOCKET))) !== null) return
  throw new StartError(
    'DATABASE_FAILED',
    `Another container or a process outside this one runs a PostgreSQL on ${cluster}: stop it there, then start again.`,
  )
}

/** Removes its files by name: a directory named in a pid file is never removed recursively. */
export async function dropSocketDir(directory: string): Promise<void> {
  for (const name of [POSTGRES_SOCKET, `${POSTGRES_SOCKET}.lock`])
    await rm(join(directory, name), { force: true })
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
    if (await hasEnded(alive, ms)) return
  }
  throw new StartError(
    'DATABASE_FAILED',
    `A PostgreSQL from an earlier run (process ${pid}) will not stop: end it, then start again.`,
  )
}

/** Children of a dead postmaster exit by themselves, but only between two statements. */
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
    if (await hasEnded(alive, ms)) return
  }
  throw new StartError(
    'DATABASE_FAILED',
    `Processes of an earlier PostgreSQL are still working in ${cluster}: end them, then start again.`,
  )
}
