import { connect } from 'node:net'
import { Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { makeLog } from '../../src/platform/log/log.ts'
import { openShop } from '../support/build.ts'
import { assertInvariants } from '../support/expect.ts'
import { startHarness } from '../support/service.ts'
import { openStream } from '../support/stream.ts'

test('a client that drops in mid-upload is no outage and leaves no error in the log', async () => {
  const lines: { level: number; status?: number; msg: string }[] = []
  const sink = new Writable({
    write: (chunk, _encoding, done) => {
      lines.push(JSON.parse(String(chunk)))
      done()
    },
  })
  const { harness, stop } = await startHarness({ log: makeLog('info', sink) })
  const { hostname, port } = new URL(harness.address)
  try {
    const told = () => lines.filter((line) => line.msg === 'The request ended before its body did')
    // One that leaves before the service begins to listen to its body is not even told of.
    await expect
      .poll(
        async () => {
          const socket = connect(Number(port), hostname)
          socket.write(
            `POST /api/v1/categories HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${harness.acme.workspace.key}\r\n` +
              'content-type: application/json\r\nexpect: 100-continue\r\ncontent-length: 1000\r\n\r\n{"name":',
          )
          // The service asks for the body, so it has begun to read it.
          await new Promise((resolve) => socket.once('data', resolve))
          socket.destroy()
          return told().length
        },
        { interval: 10 },
      )
      .toBeGreaterThanOrEqual(5)
    expect(new Set(told().map((line) => line.status))).toEqual(new Set([400]))
    expect(lines.filter((line) => line.level >= 40)).toEqual([])
  } finally {
    await stop()
  }
})

const ABORTED = 1_000
const AT_ONCE = 50

test('a thousand requests that their clients abort leave no connection, no database session and no stream behind, and every sale is whole', async () => {
  const { harness, stop } = await startHarness({})
  const { deps, server, acme } = harness
  const { hostname, port } = new URL(harness.address)
  try {
    const { outletId, latte } = await openShop(acme)
    const sale = JSON.stringify({ outletId, items: [{ variantId: latte, quantity: 1 }], status: 'COMPLETED' })
    const head = (line: string) =>
      `${line} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${acme.workspace.key}\r\n`
    const post = `${head('POST /api/v1/sales')}content-type: application/json\r\ncontent-length: ${sale.length}\r\n\r\n`
    /** What the client sends before it leaves, and whether it waits for the first bytes of the answer. */
    const ways = [
      { text: post + sale, isAnswered: false },
      { text: post + sale, isAnswered: true },
      { text: post + sale.slice(0, 20), isAnswered: false },
      { text: `${head(`GET /api/v1/sales?outletId=${outletId}&limit=100`)}\r\n`, isAnswered: false },
      { text: `${head('GET /api/v1/events/stream')}\r\n`, isAnswered: true },
    ]
    const abort = async (n: number) => {
      const { text, isAnswered } = ways[n % ways.length] ?? { text: '', isAnswered: false }
      const socket = connect(Number(port), hostname)
      await new Promise((resolve) => socket.once('connect', resolve))
      socket.write(text)
      if (isAnswered) await new Promise((resolve) => socket.once('data', resolve))
      socket.destroy()
    }
    const held = async () => ({
      connections: await new Promise<number>((resolve) =>
        server.getConnections((_, count) => resolve(count)),
      ),
      busy: deps.pool.totalCount - deps.pool.idleCount,
      waiting: deps.pool.waitingCount,
    })
    const { connections } = await held()
    for (let n = 0; n < ABORTED; n += AT_ONCE)
      await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => abort(n + index)))
    await expect.poll(held, { timeout: 20_000 }).toEqual({ connections, busy: 0, waiting: 0 })
    // A workspace has twenty streams at most, and none of them is taken.
    const key = acme.workspace.key
    const boards = await Promise.all(Array.from({ length: 20 }, () => openStream(harness.address, key)))
    expect(boards.map(({ status }) => status)).toEqual(boards.map(() => 200))
    for (const board of boards) board.close()
    await assertInvariants(deps.db)
  } finally {
    await stop()
  }
})
