import { type ChildProcess, spawn } from 'node:child_process'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { vi } from 'vitest'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const READY = /is ready at (http:\S+)/
const START_MS = 90_000

export type FaultyService = Awaited<ReturnType<typeof createService>>

type ServiceOptions = {
  /** Settings of the service. Without DATABASE_URL it starts its own PostgreSQL. */
  env?: Record<string, string>
  /** The data directory; a new one without it. */
  dataDir?: string
}

/** The built service as `npm start` runs it, in a process that a test may end, stop or start again. */
export async function createService({ env = {}, dataDir: given }: ServiceOptions = {}) {
  const room = await mkdtemp(path.join(tmpdir(), 'kasir-faults-'))
  // Under root PostgreSQL runs as another user and must be let through to its directory.
  await chmod(room, 0o711)
  const dataDir = given ?? path.join(room, 'data')
  let child: ChildProcess | null = null
  let text = ''
  let address = 'http://127.0.0.1:1'
  const isRunning = () => child !== null && child.exitCode === null && child.signalCode === null
  const ended = () => vi.waitFor(() => isRunning() && Promise.reject(new Error('it runs')), WAIT)

  const launch = (more: Record<string, string> = {}) => {
    text = ''
    child = spawn(process.execPath, [path.join(ROOT, 'scripts', 'start.mjs')], {
      cwd: ROOT,
      env: {
        PATH: process.env['PATH'] ?? '',
        HOME: process.env['HOME'] ?? '',
        DATA_DIR: dataDir,
        PORT: '0',
        RATE_LIMIT_PER_MINUTE: '0',
        LOG_LEVEL: 'error',
        ...env,
        ...more,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (part: string) => (text += part))
  }
  return {
    dataDir,
    address: () => address,
    pid: () => child?.pid ?? 0,
    output: () => text,
    isRunning,
    launch,
    start: async (more: Record<string, string> = {}) => {
      launch(more)
      await vi.waitFor(
        () => {
          const ready = READY.exec(text)?.[1]
          if (ready !== undefined) address = ready
          else if (isRunning()) throw new Error(`the service is not ready: ${text}`)
        },
        { timeout: START_MS, interval: 10 },
      )
      if (!isRunning()) throw new Error(`the service does not start: ${text}`)
    },
    signal: (signal: NodeJS.Signals) => void child?.kill(signal),
    ended,
    kill: async () => {
      child?.kill('SIGKILL')
      await ended()
    },
    /** The process that started PostgreSQL's others; only of a service with its own PostgreSQL. */
    postmaster: async () =>
      Number((await readFile(path.join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[0]),
    stop: async () => {
      child?.kill('SIGCONT')
      child?.kill('SIGTERM')
      await ended()
    },
    remove: () => rm(room, { recursive: true, force: true }),
  }
}

const WAIT = { timeout: 60_000, interval: 10 }
