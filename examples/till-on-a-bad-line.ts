/**
 * A till that survives a bad line. It reads sales from its input, one JSON a line; each lies on the disk under its key before it is
 * sent and until it is answered, so neither a cut connection nor a power cut sells twice or not at all:
 * `till-on-a-bad-line.ts ./outbox < sales.jsonl`. After a restart, it sends the remaining sales.
 */
import { randomUUID } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { createKasir, isKasirError, KasirTransportError } from 'kasir-client'

const { KASIR_URL = 'http://127.0.0.1:3000', KASIR_API_KEY } = process.env
const [outbox = './outbox'] = process.argv.slice(2)
if (KASIR_API_KEY === undefined) throw new Error('Set KASIR_API_KEY to a key of your workspace')
const kasir = createKasir({ baseUrl: KASIR_URL, apiKey: KASIR_API_KEY, timeoutMs: 10_000 })

async function keep(sale: string) {
  const name = path.join(outbox, `${Date.now()}-${randomUUID()}`)
  const file = await open(`${name}.part`, 'w')
  await file.writeFile(sale)
  await file.sync()
  await file.close()
  await rename(`${name}.part`, `${name}.json`)
}

/** Whether the line held. A sale that the service refuses is set aside for a person to look at. */
async function send(file: string): Promise<boolean> {
  const idempotencyKey = path.basename(file, '.json')
  try {
    const { sale } = await kasir.sales.create(JSON.parse(await readFile(file, 'utf8')), { idempotencyKey })
    console.log(`sold ${sale.number}`)
    await rm(file)
  } catch (error) {
    const isLater = isKasirError(error) && (error.status >= 500 || error.retryAfterMs !== null)
    if (isLater || error instanceof KasirTransportError) return false
    console.error(`refused, see ${file}.refused: ${(error as Error).message}`)
    await rename(file, `${file}.refused`)
  }
  return true
}

const waiting = async () => (await readdir(outbox)).filter((name) => name.endsWith('.json')).sort()
async function sendAll() {
  for (const name of await waiting()) if (!(await send(path.join(outbox, name)))) return
}

await mkdir(outbox, { recursive: true })
await sendAll()
for await (const line of createInterface({ input: process.stdin })) {
  if (line.trim() !== '') await keep(line)
  await sendAll()
}
const left = (await waiting()).length
if (left > 0) console.error(`${left} sales wait in ${outbox}; start again to send them`)
