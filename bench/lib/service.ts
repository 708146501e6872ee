import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export type Service = { address: string; pid: number; stop(): Promise<void> }

/** Several services of a bench use one database, each with its own directory. */
export const BENCH_KEY = Buffer.alloc(32, 1).toString('base64')

const running = new Set<ChildProcess>()
// A cancelled bench removes its files.
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

export const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url))

/** For the other commands of the program. */
export const commandEnvironment = (databaseUrl: string, dataDir: string) => ({
  PATH: process.env['PATH'],
  DATABASE_URL: databaseUrl,
  DATA_DIR: dataDir,
  SECRETS_KEY: BENCH_KEY,
  DEFAULT_TIER: 'business',
})

/** The built service in a separate process, configured as in production. */
export async function startService(
  databaseUrl: string,
  dataDir: string,
  { env = {}, nodeFlags = [] }: { env?: Record<string, string>; nodeFlags?: string[] } = {},
): Promise<Service> {
  const child = spawn(process.execPath, [...nodeFlags, CLI, 'serve'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PATH: process.env['PATH'],
      NODE_ENV: 'production',
      HOST: '127.0.0.1',
      PORT: '0',
      DATABASE_URL: databaseUrl,
      DATA_DIR: dataDir,
      RATE_LIMIT_PER_MINUTE: '0',
      DEFAULT_TIER: 'business',
      LOG_LEVEL: 'warn',
      SECRETS_KEY: BENCH_KEY,
      ...env,
    },
  })
  running.add(child)
  const ended = new Promise<number | null>((done) => child.once('close', done))
  void ended.then(() => running.delete(child))
  const address = await new Promise<string>((done, fail) => {
    let told = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      told += text
      const found = /ready at (http:\S+)/.exec(told)?.[1]
      if (found !== undefined) done(found)
    })
    void ended.then((code) => fail(new Error(`the service ended with code ${code}: ${told}`)))
  })
  const stop = async () => {
    child.kill('SIGTERM')
    await ended
  }
  return { address, pid: child.pid ?? 0, stop }
}
