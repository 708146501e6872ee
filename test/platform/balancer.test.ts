import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createKasir } from '../../client/src/index.ts'
import { type Balancer, haproxy, startBalancer } from '../support/balancer.ts'
import { makeTable, openShop, type Shop } from '../support/build.ts'
import { type RunningProcess, startProcess } from '../support/process.ts'
import { acme, deps, useService } from '../support/service.ts'
import { openStream } from '../support/stream.ts'

if (haproxy === null)
  console.warn('skipped: processes behind a balancer. No haproxy found (Debian: apt-get install haproxy).')

const TILLS = 8
const SALES_OF_TILL = 15

describe.skipIf(haproxy === null)('three processes behind haproxy', () => {
  useService()
  let processes: [RunningProcess, RunningProcess, RunningProcess]
  let balancer: Balancer
  let shop: Shop
  beforeAll(async () => {
    shop = await openShop(acme())
    const start = () => startProcess({ DEFAULT_TIER: 'business' })
    processes = await Promise.all([start(), start(), start()])
    balancer = await startBalancer([processes[0].address, processes[1].address, processes[2].address])
  })
  afterAll(async () => {
    await balancer.stop()
    await Promise.all(processes.map(({ kill }) => kill()))
  })

  test('a change at any of them reaches a board that any of them serves', async () => {
    const boards = await Promise.all(
      Array.from({ length: 3 }, () => openStream(balancer.address, acme().workspace.key)),
    )
    await makeTable(acme(), shop.outletId)
    for (const board of boards) {
      await board.until(({ frames }) => frames().length > 0, 10_000)
      board.close()
    }
  })

  test('one is killed while tills sell: each sale is acknowledged, by a retry at most, and there once', async () => {
    const kasir = createKasir({ baseUrl: balancer.address, apiKey: acme().workspace.key, tries: 8 })
    let acknowledged = 0
    let killed: Promise<void> | undefined
    const sellOne = async (note: string) => {
      const { sale } = await kasir.sales.create({
        outletId: shop.outletId,
        status: 'COMPLETED',
        items: [{ variantId: shop.latte, quantity: 1 }],
        note,
      })
      acknowledged += 1
      if (acknowledged === (TILLS * SALES_OF_TILL) / 3) killed = processes[0].kill()
      return sale.id
    }
    const till = async (name: number) => {
      const ids: string[] = []
      for (let n = 0; n < SALES_OF_TILL; n += 1) ids.push(await sellOne(`till ${name} sale ${n}`))
      return ids
    }
    const ids = (await Promise.all(Array.from({ length: TILLS }, (_, name) => till(name)))).flat()
    expect(killed).toBeDefined()
    await killed
    const { rows } = await deps().pool.query(
      'select id, note from sales where account_id = $1 and outlet_id = $2 order by id',
      [acme().workspace.accountId, shop.outletId],
    )
    expect(rows.map(({ id }) => id)).toEqual([...ids].sort())
    expect(new Set(rows.map(({ note }) => note)).size).toBe(TILLS * SALES_OF_TILL)
  })
})
