import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import fastify from 'fastify'
import { createApp } from '../../src/app.ts'
import { makeDeps } from '../../src/main.ts'
import { readConfig } from '../../src/platform/config/config.ts'
import { openDb } from '../../src/platform/db/open.ts'
import { makeLog } from '../../src/platform/log/log.ts'
import { type SentStatement, watching } from '../../test/support/statements.ts'
import { BENCH_KEY } from '../lib/service.ts'

// Forked by bench/suites/reads.ts: the yardstick. It calls the service once for each path, records its statements and
// its answer, and repeats both in bare routes.

type Answer = { path: string; statements: SentStatement[]; body: Buffer; type: string }

/** Only the service identifies the caller. */
const CALLER = 'auth_api_keys'

const [url = '', key = '', ...paths] = process.argv.slice(2)

const answers = await record()
const bare = await serve(answers)
process.send?.(bare.address)
process.on('message', () => void bare.stop().then(() => process.disconnect()))

async function record(): Promise<Answer[]> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'kasir-bench-'))
  const config = readConfig({
    DATA_DIR: dataDir,
    LOG_LEVEL: 'fatal',
    RATE_LIMIT_PER_MINUTE: '0',
    SECRETS_KEY: BENCH_KEY,
  })
  const deps = await makeDeps({ config, url, log: makeLog('fatal') })
  const app = await createApp(deps)
  const ask = async (url: string) => {
    const answer = await app.inject({ url, headers: { authorization: `Bearer ${key}` } })
    if (answer.statusCode !== 200) throw new Error(`${url} answered ${answer.body}`)
    return answer
  }
  const recorded: Answer[] = []
  for (const url of paths) {
    // The service records the first use of a key, which is not part of a read.
    await ask(url)
    const sent: SentStatement[] = []
    const answer = await watching(
      (one) => sent.push(one),
      () => ask(url),
    )
    recorded.push({
      path: url,
      statements: sent.filter(({ name }) => name !== CALLER),
      body: answer.rawPayload,
      type: String(answer.headers['content-type']),
    })
  }
  await app.close()
  await deps.close()
  await rm(dataDir, { recursive: true, force: true })
  return recorded
}

/** The least a Node service can do: the same statements, prepared, one after the other, and the same bytes. */
async function serve(recorded: readonly Answer[]) {
  const { pool, close } = openDb({ url, poolSize: readConfig({}).databasePoolSize })
  const app = fastify()
  for (const [n, { statements, body, type }] of recorded.entries()) {
    const prepared = statements.map(({ text, values }, m) => ({ name: `bare_${n}_${m}`, text, values }))
    app.get(`/${n}`, async (_request, reply) => {
      for (const statement of prepared) await pool.query(statement)
      return reply.type(type).send(body)
    })
  }
  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  const stop = async () => {
    await app.close()
    await close()
  }
  return { address, stop }
}
