/**
 * A till that survives a bad line. It reads sales from its input, one JSON a line; each lies on the disk under its key before it is
 * sent and until it is answered, so neither a cut connection nor a power cut sells twice or not at all:
 * `till-on-a-bad-line.ts ./outbox < sales.jsonl`. A start sends the remaining sales; after a day that needs their `offline.ref`.
 */
import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { createKasir, isKasirError, KasirTransportError } from 'kasir-client'

const { KASIR_URL = 'http://127.0.0.1:3000', KASIR_API_KEY } = process.env
const [outbox = './outbox'] = process.argv.slice(2)
if (KASIR_API_KEY === undefined) throw new Error('Set KASIR_API_KEY to a key of your workspace')
const kasir = createKasir({ baseUrl: KASIR_URL, apiKey: KASIR_API_KEY, timeoutMs: 10_000 })
/** The service keeps a key for 24 hours. After that, it recognises a sale only by its `offline.ref`. */
const KEY_MS = 23 * 3_600_000
class Unsure extends Error {}

async function keep(sale: string) {
  const name = path.join(outbox, `${Date.now()}-${randomUUID()}`)
  await writeFile(`${name}.part`, sale, { flush: true })
  await rename(`${name}.part`, `${name}.json`)
}

/** Whether the line held. A sale that is refused, or may be sold already, is set aside for a person to look at. */
async function send(file: string): Promise<boolean> {
  const idempotencyKey = path.basename(file, '.json')
  const keptAt = new Date(Number.parseInt(idempotencyKey, 10))
  try {
    const body = JSON.parse(await readFile(file, 'utf8'))
    if (!body.offline && Date.now() - keptAt.getTime() > KEY_MS)
      throw new Unsure(`look among the sales since ${keptAt.toISOString()}; if it is missing, sell it again`)
    const { sale } = await kasir.sales.create(body, { idempotencyKey })
    console.log(`sold ${sale.number}`)
    await rm(file)
  } catch (error) {
    const isLater = isKasirError(error) && (error.status >= 500 || error.retryAfterMs !== null)
    if (isLater || error instanceof KasirTransportError) return false
    const aside = `${file}.${error instanceof Unsure ? 'unsure' : 'refused'}`
    console.error(`set aside as ${aside}: ${(error as Error).message}`)
    await rename(file, aside)
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
