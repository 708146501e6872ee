import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import fastify from 'fastify'
import { createApp } from '../../src/app.ts'
import { makeDeps } from '../../src/main.ts'
import { readConfig } from '../../src/platform/config/config.ts'
import { openDb } from '../../src/platform/db/open.ts'
import { makeLog } from '../../src/platform/log/log.ts'
import { BENCH_KEY } from '../lib/service.ts'

// Forked by bench/suites/lookup.ts, so that the measured code and the load do not share a process.

const [kind, url = '', accountId = ''] = process.argv.slice(2)

const listening = kind === 'bare' ? await serveBare() : await serveService()
process.send?.(listening.address)
process.on('message', () => void listening.stop().then(() => process.disconnect()))

async function serveService() {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'kasir-bench-'))
  const config = readConfig({
    DATA_DIR: dataDir,
    LOG_LEVEL: 'fatal',
    RATE_LIMIT_PER_MINUTE: '0',
    SECRETS_KEY: BENCH_KEY,
  })
  const deps = await makeDeps({ config, url, log: makeLog('fatal') })
  const app = await createApp(deps)
  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  const stop = async () => {
    await app.close()
    await deps.close()
    await rm(dataDir, { recursive: true, force: true })
  }
  return { address, stop }
}

/** The least a Node service can do: one route and one prepared SELECT by the same index, without any checks. */
async function serveBare() {
  const { pool, close } = openDb({ url, poolSize: readConfig({}).databasePoolSize })
  const app = fastify()
  const text = 'select id, price from variants where account_id = $1 and is_live and barcode = $2'
  app.get<{ Params: { barcode: string } }>('/:barcode', async ({ params }) => {
    const { rows } = await pool.query({ name: 'bare', text, values: [accountId, params.barcode] })
    return { matches: rows }
  })
  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  const stop = async () => {
    await app.close()
    await close()
  }
  return { address, stop }
}
