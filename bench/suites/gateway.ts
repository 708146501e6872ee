import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { fixed, median, table, whole } from '../lib/figures.ts'
import { readFor } from '../lib/readers.ts'
import { type Bench, load, withShops } from '../lib/sales-run.ts'
import { accountId } from '../lib/sales-shop.ts'
import { type Service, startService } from '../lib/service.ts'
import { alternate, type Options, type Report, ratioOf, type Suite } from '../lib/suite.ts'

const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url))
const READERS = 16
const CUSTOMERS = 20
/** Requests to each side before it is measured, because code is slow until it is compiled. */
const WARM = 10_000
/** Turns are short, so that both sides see the same speed of a shared machine. */
const TURNS = 6
/** A busy shop, with fewer tills than the machine can serve. */
const TILLS = 8
/** How long the slow partner takes, and how many wait for it at any moment. */
const SLOW_MS = 12_000
const WAITING = 8
const PLATFORM_KEY = 'platform-key-of-the-bench'
const SECRET = `whsec_${randomBytes(32).toString('base64')}`

/**
 * Compares the gateway with a direct call of the partner, and measures how much a hanging partner slows tills down.
 */
export const gateway: Suite = {
  name: 'gateway',
  about: 'reads through the gateway over the same at the partner, tills beside a partner that hangs',
  onlyByName: true,
  measure: (options) => withShops((bench) => measure(bench, options)),
}

type Figures = { one: Pace; page: Pace; p99: { alone: number; beside: number } }
type Pace = { ours: number; bare: number; ratio: number }

async function measure(bench: Bench, options: Options): Promise<Report> {
  const { say } = options
  const { one, page } = await compareReads(bench, options)
  say(`  one record: ${whole(one.ours)}/s, at the partner ${whole(one.bare)}/s`)
  say(`  a page: ${whole(page.ours)}/s, at the partner ${whole(page.bare)}/s`)
  const p99 = await compareTills(bench, options)
  say(
    `  p99 of a sale: ${fixed(p99.beside, 1)} ms beside a partner that hangs, ${fixed(p99.alone, 1)} ms without`,
  )
  return reportOf({ one, page, p99 })
}

const settingsOf = (url: string) => ({
  PAYMENT_PARTNER_URL: url,
  PAYMENT_PARTNER_KEY: PLATFORM_KEY,
  PAYMENT_PARTNER_WEBHOOK_SECRET: SECRET,
})

/** The reference partner in a separate process, as in production. */
async function startPartner({ database }: Bench): Promise<{ url: string; stop(): Promise<void> }> {
  const args = [
    'reference-partner',
    'payment',
    '--port',
    '0',
    '--key',
    PLATFORM_KEY,
    '--webhook-secret',
    SECRET,
  ]
  const child = spawn(process.execPath, [CLI, ...args, '--notice-url', 'http://127.0.0.1:9/'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PATH: process.env['PATH'],
      NODE_ENV: 'production',
      DATABASE_URL: database.url,
      DATA_DIR: path.join(database.dir, 'partner'),
      LOG_LEVEL: 'warn',
    },
  })
  const ended = once(child, 'close')
  const url = await new Promise<string>((done, fail) => {
    let told = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      told += text
      const found = /(http:\/\/127\.0\.0\.1:\d+)/.exec(told)?.[1]
      if (found !== undefined) done(found)
    })
    void ended.then(() => fail(new Error(`the partner ended: ${told}`)))
  })
  const stop = async () => {
    child.kill('SIGTERM')
    await ended
  }
  return { url, stop }
}

async function send(url: string, key: string, body: object) {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`)
  return ((await answer.json()) as { data: Record<string, string> }).data
}

const enable = (service: Service, key: string) =>
  send(`${service.address}/api/v1/modules`, key, { module: 'payment', enabled: true })

async function compareReads(bench: Bench, { seconds, rounds }: Options) {
  const { database, keys } = bench
  const [key = ''] = keys
  const partner = await startPartner(bench)
  try {
    const service = await startService(database.url, path.join(database.dir, 'gateway'), {
      env: settingsOf(partner.url),
    })
    try {
      await enable(service, key)
      let id = ''
      for (let n = 0; n < CUSTOMERS; n += 1) {
        id =
          (await send(`${service.address}/api/v1/payments/customers`, key, { name: `Pelanggan ${n}` }))[
            'id'
          ] ?? ''
      }
      const place = { externalId: accountId(1), name: 'Bench' }
      const { apiKey = '' } = await send(`${partner.url}/v1/workspaces`, PLATFORM_KEY, place)
      const compare = async (tail: string): Promise<Pace> => {
        const limits = { connections: READERS, seconds: seconds / TURNS }
        const ours = async (atLeast = 0) => {
          const { requests, seconds: took } = await readFor(service.address, `/api/v1/payments/${tail}`, {
            ...limits,
            atLeast,
            key,
          })
          return requests / took
        }
        const bare = async (atLeast = 0) => {
          const { requests, seconds: took } = await readFor(partner.url, `/v1/${tail}`, {
            ...limits,
            atLeast,
            key: apiKey,
          })
          return requests / took
        }
        for (const warm of [ours, bare]) await warm(WARM)
        const { a, b } = await alternate(rounds * TURNS, ours, bare)
        return { ours: median(a), bare: median(b), ratio: ratioOf(a, b) }
      }
      return { one: await compare(`customers/${id}`), page: await compare(`customers?limit=${CUSTOMERS}`) }
    } finally {
      await service.stop()
    }
  } finally {
    await partner.stop()
  }
}

/** Opens workspaces immediately; answers every other request after the configured delay. */
async function startSlowPartner() {
  let isSlow = false
  let waiting = 0
  const server = createServer((request, response) => {
    const answer = () =>
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end('{"data":{"workspaceId":"w","apiKey":"k","status":"ok"}}')
    if (!isSlow || request.url === '/v1/workspaces' || request.url === '/v1/health') return void answer()
    waiting += 1
    response.once('close', () => {
      waiting -= 1
    })
    setTimeout(answer, SLOW_MS).unref()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const stop = async () => {
    server.closeAllConnections()
    server.close()
  }
  const hang = (slow: boolean) => {
    isSlow = slow
  }
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    waiting: () => waiting,
    hang,
    stop,
  }
}

async function until(holds: () => boolean | Promise<boolean>) {
  while (!(await holds())) await sleep(50)
}

async function compareTills(bench: Bench, { seconds, rounds }: Options) {
  const { database, keys } = bench
  const [key = ''] = keys
  const partner = await startSlowPartner()
  const service = await startService(database.url, path.join(database.dir, 'slow'), {
    env: settingsOf(partner.url),
  })
  const sell = async () =>
    (await load(bench, service, { connections: TILLS, limit: { seconds: seconds * 2 } })).p99
  /** The workspace that waits for the partner is one of those that sell. */
  const ask = async () => {
    const answer = await fetch(`${service.address}/api/v1/payments/payouts/balance`, {
      headers: { authorization: `Bearer ${key}` },
    })
    await answer.text()
    return answer.status
  }
  const beside = async () => {
    // The circuit breaker of a partner that has hung stays open for a while, and no request would wait.
    await until(async () => (await ask()) === 200)
    partner.hang(true)
    const asked = Array.from({ length: WAITING }, ask)
    await until(() => partner.waiting() === WAITING)
    const p99 = await sell()
    if (partner.waiting() !== WAITING) throw new Error('the tills sold for longer than the partner hung')
    await Promise.all(asked)
    partner.hang(false)
    return p99
  }
  try {
    await enable(service, key)
    await load(bench, service, { connections: TILLS, limit: { count: 2_000 } })
    const { a, b } = await alternate(rounds, sell, beside)
    return { alone: median(a), beside: median(b) }
  } finally {
    await service.stop()
    await partner.stop()
  }
}

function reportOf({ one, page, p99 }: Figures): Report {
  const line = (what: string, { ours, bare, ratio }: Pace) => [what, whole(ours), whole(bare), fixed(ratio)]
  const overPartner = (what: string, { ours, bare, ratio }: Pace) => ({
    what,
    measured: `${whole(ours)}/s`,
    yardstick: `${whole(bare)}/s`,
    value: ratio,
    bar: { atLeast: 0.5 },
  })
  return {
    title: 'The gateway',
    text: [
      `${READERS} readers of the reference payment partner, which runs in a process of its own: through the gateway, and at the partner itself. Then ${TILLS} tills, while ${WAITING} requests of one of their workspaces wait for a partner that answers after ${SLOW_MS / 1_000} s.`,
      table(
        ['', 'gateway, requests/s', 'partner, requests/s', 'ratio'],
        [line('one customer', one), line(`a page of ${CUSTOMERS}`, page)],
      ),
      table(
        ['', 'p99 of a sale, ms'],
        [
          ['beside a partner that hangs', fixed(p99.beside, 1)],
          ['without', fixed(p99.alone, 1)],
        ],
      ),
    ].join('\n\n'),
    rows: [
      overPartner('gateway: one record, requests/s over the partner', one),
      overPartner(`gateway: a page of ${CUSTOMERS}, requests/s over the partner`, page),
      {
        what: 'p99 of a sale beside a partner that hangs, over without',
        measured: `${fixed(p99.beside, 1)} ms`,
        yardstick: `${fixed(p99.alone, 1)} ms`,
        value: p99.beside / p99.alone,
        bar: { atMost: 1.2 },
      },
    ],
  }
}
