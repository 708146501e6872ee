import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../src/platform/clock.ts'
import { runText } from '../../src/platform/db/open.ts'
import { makeProduct, openShop } from '../support/build.ts'
import { cuttingProxy } from '../support/cutting-proxy.ts'
import { acme, address, deps, useService, workspace } from '../support/service.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const SLOW = 120_000

useService({ env: { DEFAULT_TIER: 'free' } })

let room = ''
const running = new Set<ChildProcessWithoutNullStreams>()
beforeAll(async () => {
  room = await mkdtemp(path.join(tmpdir(), 'kasir-examples-'))
})
afterAll(async () => {
  for (const child of running) child.kill()
  await rm(room, { recursive: true, force: true })
})

/** Starts a command of the page in the clone, with the key of a workspace. */
function start(args: readonly string[], { key = acme().workspace.key, url = address(), more = {} } = {}) {
  const env = { PATH: process.env['PATH'], HOME: room, KASIR_URL: url, KASIR_API_KEY: key, ...more }
  const child = spawn(process.execPath, ['--import', 'tsx', ...args], { cwd: ROOT, env })
  running.add(child)
  const told = { out: '', err: '', code: undefined as number | null | undefined }
  child.stdout.setEncoding('utf8').on('data', (text: string) => (told.out += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (told.err += text))
  const ended = new Promise<typeof told>((resolve) =>
    child.once('close', (code) => {
      running.delete(child)
      resolve(Object.assign(told, { code }))
    }),
  )
  return { child, told, ended }
}
const example = (name: string) => `examples/${name}.ts`

test('every example is shorter than 60 lines, and the receiver of webhooks has 15', async () => {
  const lengths = await Promise.all(
    (await readdir(path.join(ROOT, 'examples'))).map(async (name) => {
      const text = await readFile(path.join(ROOT, 'examples', name), 'utf8')
      return [name, text.trimEnd().split('\n').length] as const
    }),
  )
  expect(lengths.map(([name]) => name).toSorted()).toEqual([
    'first-sale.ts',
    'kitchen-ticker.ts',
    'prices-from-spreadsheet.ts',
    'sales-to-csv.ts',
    'till-on-a-bad-line.ts',
    'webhook-receiver.ts',
  ])
  expect(lengths.filter(([, lines]) => lines >= 60)).toEqual([])
  expect(new Map(lengths).get('webhook-receiver.ts')).toBe(15)
})

test(
  'the first sale of a fresh workspace is made, and its receipt shown',
  async () => {
    const fresh = await workspace('Fresh')
    const { key } = fresh.workspace
    const { code, out, err } = await start([example('first-sale')], { key }).ended
    expect([code, err]).toEqual([0, ''])
    expect(out).toMatch(/Warung Sari[^]*Kopi susu[^]*36\.000[^]*50\.000[^]*14\.000/)
    const { data } = await fresh.get('/sales')
    expect(data).toMatchObject([{ status: 'COMPLETED', total: 36_000 }])
  },
  SLOW,
)

test(
  'the sales of yesterday, by the clock of the outlet, are a table; those of today are not in it',
  async () => {
    const api = await workspace('Table')
    const { key } = api.workspace
    const { outletId, bag } = await openShop(api, { name: 'Kemang, "Raya"' })
    const sold = await api.post('/sales', {
      outletId,
      status: 'COMPLETED',
      items: [{ variantId: bag, quantity: 1 }],
    })
    const { number, total, completedAt } = sold.data.sale
    const today = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Jakarta' }).format(systemClock.ms())
    const [yesterdays, todays] = await Promise.all([
      start([example('sales-to-csv')], { key }).ended,
      start([example('sales-to-csv'), today], { key }).ended,
    ])
    expect(yesterdays).toEqual({ code: 0, err: '', out: 'outlet,number,completedAt,total\n' })
    expect(todays).toEqual({
      code: 0,
      err: '',
      out: `outlet,number,completedAt,total\n"Kemang, ""Raya""","${number}","${completedAt}","${total}"\n`,
    })
  },
  SLOW,
)

test(
  'prices of a spreadsheet are set, a second run changes nothing, and lines that cannot be are told by number',
  async () => {
    const api = await workspace('Prices')
    const { key } = api.workspace
    await makeProduct(api, {
      name: 'Kopi',
      variants: [
        { name: 'Panas', price: 18_000, sku: 'KS-P' },
        { name: 'Dingin', price: 20_000, sku: 'KS-D' },
      ],
    })
    const file = path.join(room, 'prices.csv')
    await writeFile(file, 'sku;price\r\n"ks-p";19000\r\nKS-D;20000\r\nKS-X;5000\r\nKS-D;murah\r\nKS-D;-5\r\n')
    const run = () => start([example('prices-from-spreadsheet'), file], { key }).ended
    const first = await run()
    expect([first.code, first.out]).toEqual([1, 'ks-p: 18000 → 19000\n'])
    expect(first.err.split('\n')).toEqual([
      `${file}:4: nothing has the SKU KS-X`,
      `${file}:5: murah is no price in rupiah`,
      expect.stringContaining(`${file}:6: `),
      '',
    ])
    expect((await run()).out).toBe('')
    const { data } = await api.get('/products')
    expect(data.products[0].variants.map(({ price }: { price: number }) => price)).toEqual([19_000, 20_000])
  },
  SLOW,
)

test(
  'the kitchen ticker shows what waits, and each change as it comes',
  async () => {
    const api = await workspace('Kitchen')
    const { outletId, bag } = await openShop(api)
    const order = async (quantity: number) => {
      const items = [{ variantId: bag, quantity }]
      return (await api.post('/sales', { outletId, orderType: 'TAKEAWAY', items })).data.sale
    }
    const waiting = await order(2)
    const { child, told, ended } = start([example('kitchen-ticker')], { key: api.workspace.key })
    await expect.poll(() => told.out).toMatch(new RegExp(`^${waiting.number} to go NEW: 2 .+\\n$`))
    const next = await order(3)
    await expect.poll(() => told.out).toMatch(new RegExp(`\\n${next.number} to go NEW: 3 .+\\n$`))
    child.kill()
    expect((await ended).err).toBe('')
  },
  SLOW,
)

test(
  'the till on a bad line sells each once: cut off, killed at it, and started again',
  async () => {
    const api = await workspace('Till')
    const { key } = api.workspace
    const { outletId, bag } = await openShop(api)
    const sale = (quantity: number) =>
      `${JSON.stringify({ outletId, status: 'COMPLETED', items: [{ variantId: bag, quantity }] })}\n`
    const outbox = path.join(room, 'outbox')
    const till = (url: string) => start([example('till-on-a-bad-line'), outbox], { key, url })
    const waiting = async () => (await readdir(outbox)).filter((name) => name.endsWith('.json')).length

    const dead = till('http://127.0.0.1:9')
    dead.child.stdin.end(`${[1, 2, 3].map(sale).join('')}not a sale\n`)
    expect((await dead.ended).err).toBe(`4 sales wait in ${outbox}; start again to send them\n`)
    // Two of three requests are cut, the one before it reaches the service and the other after the answer.
    let turn = 0
    const proxy = await cuttingProxy(() => (['after', 'before', null] as const)[turn++ % 3] ?? null)
    proxy.leadTo(address())
    const killed = till(proxy.url)
    await expect.poll(() => killed.told.out).toMatch(/sold/)
    killed.child.kill('SIGKILL')
    await killed.ended
    const last = till(address())
    last.child.stdin.end()
    expect((await last.ended).code).toBe(0)

    expect(await waiting()).toBe(0)
    const { data } = await api.get('/sales')
    expect(data.map(({ total }: { total: number }) => total).toSorted()).toEqual([1_000, 1_500, 500])
    expect(killed.told.err + last.told.err).toMatch(/^set aside as \S+\.refused: /)
    await proxy.close()
  },
  SLOW,
)

test(
  'the till on a bad line sets aside a sale without an answer once its key has expired, and sends one with offline.ref again: each is sold once',
  async () => {
    const api = await workspace('Day off')
    const { key } = api.workspace
    const { outletId, bag } = await openShop(api)
    const soldAt = new Date(systemClock.ms()).toISOString()
    const plain = { outletId, status: 'COMPLETED', items: [{ variantId: bag, quantity: 1 }] }
    const items = [{ variantId: bag, quantity: 2, unitPrice: 500 }]
    const offline = { ...plain, items, offline: { ref: 'front-1', soldAt, printedTotal: 1_000, terms: {} } }
    const [first, second] = [path.join(room, 'plain'), path.join(room, 'offline')]
    const till = (outbox: string, url = address(), hours = 0) => {
      const later = `data:text/javascript,const now=Date.now;Date.now=()=>now()+${hours * 3_600_000}`
      return start(['--import', later, example('till-on-a-bad-line'), outbox], { key, url })
    }
    const totals = async () => {
      const { data } = await api.get('/sales')
      return data.map(({ total }: { total: number }) => total).toSorted()
    }

    const proxy = await cuttingProxy(() => 'amid')
    proxy.leadTo(address())
    for (const [outbox, sale] of [
      [first, plain],
      [second, offline],
    ] as const) {
      const { child, ended } = till(outbox, proxy.url)
      child.stdin.end(JSON.stringify(sale))
      expect((await ended).err).toBe(`1 sales wait in ${outbox}; start again to send them\n`)
    }
    expect(await totals()).toEqual([1_000, 500])

    await runText(deps().db, "update idempotency_keys set created_at = created_at - interval '25 hours'", [])
    for (const outbox of [first, second]) {
      const { child, ended } = till(outbox, address(), 25)
      child.stdin.end()
      const { code, out, err } = await ended
      const isUnsure =
        /^set aside as \S+\.unsure: look among the sales since .+; if it is missing, sell it again\n$/
      expect([code, out, err]).toEqual(
        outbox === first
          ? [0, '', expect.stringMatching(isUnsure)]
          : [0, expect.stringMatching(/^sold /), ''],
      )
    }
    expect(await totals()).toEqual([1_000, 500])
    expect([await readdir(first), await readdir(second)]).toEqual([[expect.stringMatching(/\.unsure$/)], []])
    await proxy.close()
  },
  SLOW,
)

test(
  'three commands of docs/client.md bring the receiver a verified event',
  async () => {
    const page = await readFile(path.join(ROOT, 'docs/client.md'), 'utf8')
    const commands = /```sh\n(npm start -- listen[^]*?)```/.exec(page)?.[1]?.trim().split('\n') ?? []
    expect(commands).toEqual([
      'npm start -- listen --forward-to http://127.0.0.1:4000',
      'KASIR_WEBHOOK_SECRET=whsec_… npx tsx examples/webhook-receiver.ts',
      'npm start -- trigger service.sale.completed.v1',
    ])
    const port = String(20_000 + (process.pid % 10_000))
    const at = ['--url', address()]
    const listening = start(['src/cli.ts', 'listen', '--forward-to', `http://127.0.0.1:${port}`, ...at])
    await expect.poll(() => listening.told.out).toMatch(/Signing secret: whsec_\S+/)
    const secret = /whsec_\S+/.exec(listening.told.out)?.[0]
    const more = { KASIR_WEBHOOK_SECRET: secret, PORT: port }
    const receiver = start([example('webhook-receiver')], { more })
    const stranger = () =>
      fetch(`http://127.0.0.1:${port}`, { method: 'POST', body: '{}' }).then(
        ({ status }) => status,
        () => 0,
      )
    await expect.poll(stranger).toBe(400)
    const triggered = await start(['src/cli.ts', 'trigger', 'service.sale.completed.v1', ...at]).ended
    expect([triggered.code, triggered.err]).toEqual([0, ''])
    await expect.poll(() => receiver.told.out).toMatch(/^Sold: \{/)
    await expect.poll(() => listening.told.out).toMatch(/service\.sale\.completed\.v1 \S+ → 204/)
  },
  SLOW,
)
