import { spawn } from 'node:child_process'
import { copyFile, open, readFile, rm, stat, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { nullOnCodes, StartError } from '../../../core/fault.ts'
import { program } from './binaries.ts'
import { readPidFile, signalPostgres } from './processes.ts'
import { bareEnvironment, changeOwner, type Runner } from './runner.ts'

export type Postmaster = { pid: number; exited: Promise<string>; hasExited: () => boolean }

export type Launch = {
  bin: string
  cluster: string
  runner: Runner
  logFile: string
  flags: string[]
  /** Aborting it ends a start that is still under way; the start then throws the reason. */
  signal?: AbortSignal
  /** Called as soon as the process exists, long before it accepts connections. */
  onSpawn?(postmaster: Postmaster): void
  say: (line: string) => void
}

const LOG_LIMIT_BYTES = 10 * 2 ** 20
const PATIENCE_MS = 10 * 60_000
const REMIND_MS = 10_000

/** Starts the postmaster and returns once it accepts connections. */
export async function launch(asked: Launch): Promise<Postmaster> {
  const { cluster, logFile, say } = asked
  const logStart = await rotateLog(logFile)
  const postmaster = await spawnPostmaster(asked)
  asked.onSpawn?.(postmaster)
  const began = performance.now()
  for (let reminded = 0; ; await sleep(5)) {
    if (postmaster.hasExited()) {
      const reason = await reasonIn(logFile, logStart)
      throw new StartError(
        'DATABASE_FAILED',
        `PostgreSQL did not start: ${reason || (await postmaster.exited)} (log: ${logFile})`,
      )
    }
    const file = await readPidFile(cluster)
    if (file?.pid === postmaster.pid && file.status === 'ready') return postmaster
    if (asked.signal?.aborted) {
      await shutDown(postmaster, asked.bin, 3000)
      throw asked.signal.reason
    }
    const waited = performance.now() - began
    if (waited > PATIENCE_MS) {
      await shutDown(postmaster, asked.bin, 3000)
      throw new StartError('DATABASE_FAILED', `PostgreSQL is not ready after ten minutes (log: ${logFile})`)
    }
    if (waited > (reminded + 1) * REMIND_MS) {
      reminded++
      say('PostgreSQL is still replaying its log after an unclean shutdown; this can take minutes')
    }
  }
}

async function spawnPostmaster({ bin, cluster, runner, logFile, flags }: Launch): Promise<Postmaster> {
  const log = await open(logFile, 'a', 0o600)
  await changeOwner(runner, logFile)
  try {
    const child = spawn(program(bin, 'postgres'), ['-D', cluster, ...flags], {
      ...runner.ids,
      // A separate process group: Ctrl-C in the terminal must reach only the service, which then drains.
      detached: true,
      windowsHide: true,
      cwd: cluster,
      env: bareEnvironment(),
      stdio: ['ignore', log.fd, log.fd],
    })
    let over = false
    const exited = new Promise<string>((resolve) => {
      const end = (how: string) => {
        over = true
        resolve(how)
      }
      child.once('exit', (code, signal) => end(signal ?? `exit code ${code}`))
      child.once('error', (error) => end(error.message))
    })
    child.unref()
    return { pid: child.pid ?? -1, exited, hasExited: () => over }
  } finally {
    await log.close()
  }
}

/**
 * Keeps the log and one older file of about `limitBytes` each, and returns the size of the log. PostgreSQL keeps the
 * file open and appends to it, so the contents are copied and the file is truncated.
 */
export async function rotateLog(logFile: string, limitBytes = LOG_LIMIT_BYTES): Promise<number> {
  const size = (await nullOnCodes(stat(logFile)))?.size ?? 0
  if (size < limitBytes) return size
  const older = `${logFile}.1`
  // If the disk has no space for the copy, deletes the old file: the freed space is needed.
  await copyFile(logFile, older).catch(() => rm(older, { force: true }))
  await truncate(logFile)
  return 0
}

/** Matches refused connections during a start, which are logged after the line with the cause. */
const REFUSED_CONNECTION = /FATAL: +the database system is /

async function reasonIn(logFile: string, from: number): Promise<string> {
  const log = await readFile(logFile)
  // If the log was rotated meanwhile, it is shorter than `from`.
  const text = log.subarray(from > log.length ? 0 : from).toString('utf8')
  const lines = text
    .split('\n')
    .filter((line) => /FATAL|PANIC|^postgres: |error while loading/.test(line))
    .filter((line) => !REFUSED_CONNECTION.test(line))
  return (lines.at(-1) ?? '').replace(/^.*?(FATAL|PANIC): +/, '')
}

/** Tries a fast shutdown, then an immediate one, then SIGKILL. PostgreSQL recovers from each at the next start. */
export async function shutDown(postmaster: Postmaster, bin: string, graceMs: number): Promise<boolean> {
  for (const [signal, ms] of [
    ['SIGINT', graceMs],
    ['SIGQUIT', 3000],
    ['SIGKILL', 1000],
  ] as const) {
    if (postmaster.hasExited()) break
    await signalPostgres(bin, postmaster.pid, signal)
    const given = new AbortController()
    await Promise.race([postmaster.exited, sleep(ms, null, { signal: given.signal }).catch(() => null)])
    given.abort()
    if (postmaster.hasExited()) return signal === 'SIGINT'
  }
  return postmaster.hasExited()
}

export const logFileOf = (dataDir: string): string => join(dataDir, 'postgres.log')
