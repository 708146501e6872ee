import { type ChildProcess, spawn } from 'node:child_process'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const READY = /is ready at (http:\S+)/
const START_MS = 60_000

/** The real service as a process of its own, with an embedded database in a temporary directory. */
export type OwnService = {
  dataDir: string
  address(): string
  start(args?: readonly string[]): Promise<void>
  end(): Promise<void>
} & {
  /** kill -9, of the service alone or of its database as well. */
  kill(what: 'service' | 'both'): Promise<void>
}

export async function ownService(more: Record<string, string> = {}): Promise<OwnService> {
  const room = await mkdtemp(path.join(tmpdir(), 'kasir-kill-'))
  // Under root PostgreSQL runs as another user and must be let through to its directory.
  await chmod(room, 0o711)
  const dataDir = path.join(room, 'data')
  let child: ChildProcess | undefined
  let address = ''

  const start = async (args: readonly string[] = []) => {
    const told: string[] = []
    const env = {
      ...process.env,
      DATA_DIR: dataDir,
      PORT: '0',
      RATE_LIMIT_PER_MINUTE: '0',
      NODE_ENV: 'production',
      ...more,
    }
    const started = spawn(process.execPath, ['--import', 'tsx', 'src/cli.ts', 'serve', ...args], {
      cwd: ROOT,
      env,
    })
    child = started
    address = await new Promise<string>((resolve, reject) => {
      const fail = (why: string) => reject(new Error(`${why}: ${told.join('')}`))
      const timer = setTimeout(() => fail('the service is not ready in time'), START_MS)
      started.once('close', (code) => fail(`the service ended with ${code}`))
      for (const stream of [started.stdout, started.stderr]) {
        stream.setEncoding('utf8').on('data', (text: string) => {
          told.push(text)
          const found = READY.exec(told.join(''))?.[1]
          if (found === undefined) return
          clearTimeout(timer)
          resolve(found)
        })
      }
    })
  }

  const ended = (which: ChildProcess) =>
    which.exitCode !== null || which.signalCode !== null
      ? Promise.resolve()
      : new Promise<void>((resolve) => which.once('exit', () => resolve()))

  return {
    dataDir,
    address: () => address,
    start,
    kill: async (what) => {
      const postmaster = Number(
        (await readFile(path.join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[0],
      )
      child?.kill('SIGKILL')
      if (what === 'both' && postmaster > 1) process.kill(postmaster, 'SIGKILL')
      if (child) await ended(child)
    },
    end: async () => {
      if (child && child.exitCode === null && child.signalCode === null) {
        child.kill('SIGTERM')
        await ended(child)
      }
      await rm(room, { recursive: true, force: true })
    },
  }
}
