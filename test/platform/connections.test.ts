import { connect, type Socket } from 'node:net'
import pino from 'pino'
import { expect, test } from 'vitest'
import { startHarness } from '../support/service.ts'

type Line = { msg: string; dropped?: number; peer?: string }

async function serving(
  env: Record<string, string>,
  work: (tools: {
    open(from: string): Promise<Socket>
    told(): Line[]
    count(): Promise<number>
  }) => Promise<void>,
) {
  const lines: Line[] = []
  const log = pino({}, { write: (line: string) => lines.push(JSON.parse(line)) })
  const { harness, stop } = await startHarness({ env, log })
  const sockets: Socket[] = []
  const { port } = new URL(harness.address)
  const open = (localAddress: string) =>
    new Promise<Socket>((resolve, reject) => {
      const socket = connect({ host: '127.0.0.1', port: Number(port), localAddress })
      sockets.push(socket)
      socket.on('error', reject).once('connect', () => resolve(socket))
      socket.resume()
    })
  const count = () =>
    new Promise<number>((resolve) => harness.server.getConnections((_, open) => resolve(open)))
  try {
    await expect.poll(count, { timeout: 10_000 }).toBe(0)
    await work({ open, told: () => lines.filter(({ msg }) => msg.includes('MAX_CONNECTIONS')), count })
  } finally {
    for (const socket of sockets) socket.destroy()
    await stop()
  }
}

const openMany = async (n: number, open: () => Promise<Socket>) => {
  for (let i = 0; i < n; i += 1) await open()
}

test('one address holds a quarter of the connections, and another is still let in', () =>
  serving({ MAX_CONNECTIONS: '40' }, async ({ open, told, count }) => {
    await openMany(30, () => open('127.0.0.2'))
    await expect.poll(count).toBe(10)
    await expect.poll(() => told().map(({ dropped, peer }) => [dropped, peer])).toEqual([[1, '127.0.0.2']])
    await openMany(5, () => open('127.0.0.3'))
    await expect.poll(count).toBe(15)
  }))

test('a place that comes free is given away again', () =>
  serving({ MAX_CONNECTIONS: '40' }, async ({ open, told, count }) => {
    for (let round = 0; round < 3; round += 1) {
      const held = await Promise.all(Array.from({ length: 10 }, () => open('127.0.0.2')))
      await expect.poll(count).toBe(10)
      for (const socket of held) socket.destroy()
      await expect.poll(count).toBe(0)
    }
    expect(told()).toEqual([])
  }))

test('a proxy that is trusted holds any number, up to the bound for all', () =>
  serving({ MAX_CONNECTIONS: '40', TRUST_PROXY: '127.0.0.2' }, async ({ open, told, count }) => {
    await openMany(60, () => open('127.0.0.2'))
    await expect.poll(count).toBe(40)
    await expect.poll(() => told().length).toBe(1)
  }))
