import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { program } from './program.ts'
import { deps } from './service.ts'

export type RunningProcess = { address: string; kill(): Promise<void> }

/** Another process of the service on the database of this test file; `kill` is -9. */
export async function startProcess(env: Record<string, string> = {}): Promise<RunningProcess> {
  const { config, pool } = deps()
  const dataDir = await mkdtemp(path.join(tmpdir(), 'kasir-process-'))
  // One database is used with one key.
  await copyFile(path.join(config.dataDir, 'secrets.key'), path.join(dataDir, 'secrets.key'))
  const child = spawn(process.execPath, [...program(), 'serve'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PATH: process.env['PATH'],
      PORT: '0',
      DATA_DIR: dataDir,
      DATABASE_URL: pool.options.connectionString,
      ...(config.listenUrl === null ? {} : { LISTEN_URL: config.listenUrl }),
      ALLOW_UNSAFE_DATABASE: '1',
      RATE_LIMIT_PER_MINUTE: '0',
      LOG_LEVEL: 'fatal',
      ...env,
    },
  })
  const ended = once(child, 'close')
  const kill = async () => {
    child.kill('SIGKILL')
    await ended
    await rm(dataDir, { recursive: true, force: true })
  }
  const address = await new Promise<string>((resolve, reject) => {
    let told = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      told += text
      const ready = /ready at (https?:\S+)/.exec(told)?.[1]
      if (ready !== undefined) resolve(ready)
    })
    child.once('close', () => reject(new Error(`the process ended: ${told}`)))
  })
  return { address, kill }
}
