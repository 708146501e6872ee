import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findRunning } from '../../../src/platform/db/embedded.ts'
import { brokenInvariants } from '../../../src/platform/db/invariants.ts'
import { openDb } from '../../../src/platform/db/open.ts'
import { type OwnService, ownService } from '../../support/service.ts'

const TILLS = 6
const SALES_BETWEEN_KILLS = 12
const OPENING_STOCK = 1_000_000

let service: OwnService
let key = ''

// oxlint-disable-next-line typescript/no-explicit-any -- answers are asserted, not typed
type Answer = { status: number; data: any; cookie: string }

async function call(path: string, body?: object, headers: Record<string, string> = {}): Promise<Answer> {
  const response = await fetch(`${service.address()}/api/v1${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      ...(key === '' ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(10_000),
  })
  const { data } = (await response.json()) as { data: unknown }
  return { status: response.status, data, cookie: response.headers.get('set-cookie')?.split(';')[0] ?? '' }
}

async function openShop() {
  const login = { email: 'kill@example.com', password: 'a password for a while' }
  const { cookie } = await call('/auth/signup', login)
  key = (await call('/api-keys', { name: 'Till' }, { cookie })).data.key
  const { outlet } = (await call('/outlets', { name: 'Warung', taxRateBps: 1100 })).data
  const variants: string[] = []
  for (const name of ['Kopi', 'Teh', 'Roti']) {
    const { product } = (await call('/products', { name, variants: [{ price: 10_000 }] })).data
    const variantId = product.variants[0].id as string
    await call('/inventory/adjust', { outletId: outlet.id, variantId, qtyDelta: OPENING_STOCK })
    variants.push(variantId)
  }
  return { outletId: outlet.id as string, variants }
}

type Shop = Awaited<ReturnType<typeof openShop>>
type Ledger = {
  /** Idempotency-Key → the sale that was acknowledged under it. */
  acknowledged: Map<string, string>
  replays: number
  stopped: boolean
}

/** A till sells until told to stop; whatever it heard nothing about it sends again, with the same key. */
async function till(name: string, { outletId, variants }: Shop, ledger: Ledger) {
  for (let n = 1; !ledger.stopped; n += 1) {
    const idempotencyKey = `${name}-${n}`
    const items = variants.map((variantId) => ({ variantId, quantity: 1 }))
    // Every other sale goes the longer way through a bill's transaction.
    const body = n % 2 === 0 ? { outletId, items, status: 'COMPLETED' } : { outletId, items, note: 'open' }
    for (let attempt = 1; ; attempt += 1) {
      const answer = await call('/sales', body, { 'idempotency-key': idempotencyKey }).catch(() => null)
      if (answer?.status === 201) {
        if (attempt > 1) ledger.replays += 1
        ledger.acknowledged.set(idempotencyKey, answer.data.sale.id)
        break
      }
      expect([null, 409, 503]).toContain(answer?.status ?? null)
      await sleep(20)
    }
  }
}

async function until(condition: () => boolean) {
  while (!condition()) await sleep(10)
}

/** `env` is of the service. */
export function killTills({ env = {}, kills }: { env?: Record<string, string>; kills: number }) {
  beforeAll(async () => {
    key = ''
    service = await ownService(env)
    await service.start()
  }, 120_000)
  afterAll(() => service.end(), 60_000)

  test(`${kills} kills under load lose no acknowledged sale, and every key comes to exactly one sale`, async () => {
    const shop = await openShop()
    const ledger: Ledger = { acknowledged: new Map(), replays: 0, stopped: false }
    const tills = Array.from({ length: TILLS }, (_, index) => till(`till-${index}`, shop, ledger))
    for (let kill = 1; kill <= kills; kill += 1) {
      const before = ledger.acknowledged.size
      await until(() => ledger.acknowledged.size >= before + SALES_BETWEEN_KILLS)
      await service.kill(kill % 2 === 0 ? 'both' : 'service')
      await service.start()
    }
    ledger.stopped = true
    await Promise.all(tills)

    const url = (await findRunning(service.dataDir)) ?? ''
    const { db, close } = openDb({ url, poolSize: 2 })
    const rows = await db.selectFrom('sales').select(['id', 'status']).execute()
    const levels = await db.selectFrom('stockLevels').select('quantity').execute()
    const broken = await brokenInvariants(db)
    await close()

    const acknowledged = [...ledger.acknowledged.values()]
    expect(acknowledged.length).toBeGreaterThanOrEqual(kills * SALES_BETWEEN_KILLS)
    expect(new Set(acknowledged).size).toBe(acknowledged.length)
    expect(rows.map(({ id }) => id).sort()).toEqual([...acknowledged].sort())
    const completed = rows.filter(({ status }) => status === 'COMPLETED').length
    expect(levels.map(({ quantity }) => quantity)).toEqual(shop.variants.map(() => OPENING_STOCK - completed))
    expect(broken).toEqual([])
  }, 300_000)
}
