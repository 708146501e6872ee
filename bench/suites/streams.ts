import { connect, type Socket } from 'node:net'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { systemClock } from '../../src/platform/clock.ts'
import { createLive } from '../../src/platform/live/live.ts'
import { makeLog } from '../../src/platform/log/log.ts'
import { freshDatabase } from '../lib/database.ts'
import { table, whole } from '../lib/figures.ts'
import { rssOf } from '../lib/machine.ts'
import { outletId, priceOf, seedShops, variantId } from '../lib/sales-shop.ts'
import { startService } from '../lib/service.ts'
import type { Options, Report, Suite } from '../lib/suite.ts'

/** As many as a workspace may have (B-live-3), in enough workspaces for 2,000. */
const PER_WORKSPACE = 20
const FOLLOWED = 100

/** A change must reach 2,000 open streams within a second. */
export const streams: Suite = {
  name: 'streams',
  about: 'a change sent to 2,000 open streams',
  measure,
}

async function measure({ quick, say }: Options): Promise<Report> {
  const database = await freshDatabase()
  try {
    const keys = await seedShops(database.url, quick ? 5 : FOLLOWED)
    // All screens of this bench are at one address, which may hold a quarter of the connections.
    const service = await startService(database.url, path.join(database.dir, 'service'), {
      env: { MAX_CONNECTIONS: '20000' },
    })
    try {
      const workspaces = keys.map((key, index) => ({
        key,
        accountId: `acc_${String(index + 1).padStart(26, '0')}`,
        outletId: outletId(index + 1, 1),
      }))
      const figures = await measureStreams({
        address: service.address,
        databaseUrl: database.url,
        workspaces,
        perWorkspace: PER_WORKSPACE,
        rss: async () => (await rssOf(service.pid)) * 2 ** 20,
        changeOne: () => openBill(service.address, keys[0] ?? ''),
      })
      const { one, all } = figures
      say(
        `slowest of ${one.clients}: ${whole(one.slowestMs)} ms, of ${all.clients}: ${whole(all.slowestMs)} ms`,
      )
      const row = (what: string, { clients, medianMs, slowestMs }: Delays) => [
        what,
        whole(clients),
        whole(medianMs),
        whole(slowestMs),
      ]
      return {
        title: 'Live streams',
        text: [
          `${whole(figures.streams)} open streams of ${keys.length} workspaces on one process, ${whole(figures.bytesPerStream / 1024)} KiB of resident memory each, opened in ${whole(figures.openMs)} ms.`,
          table(
            ['', 'clients', 'median, ms', 'slowest, ms'],
            [
              row('a sale of one workspace, from sending it', one),
              row('a change in every workspace, published by another process', all),
            ],
          ),
        ].join('\n\n'),
        rows: [
          {
            what: `slowest of ${whole(figures.streams)} streams receives a change, ms`,
            measured: '',
            yardstick: '',
            value: Math.max(one.slowestMs, all.slowestMs),
            bar: { atMost: 1000 },
          },
        ],
      }
    } finally {
      await service.stop()
    }
  } finally {
    await database.stop()
  }
}

/** A bill that the kitchen sees. */
async function openBill(address: string, key: string) {
  const answer = await fetch(`${address}/api/v1/sales`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      outletId: outletId(1, 1),
      orderType: 'TAKEAWAY',
      status: 'PARKED',
      items: [{ variantId: variantId(1, 1), quantity: 1, unitPrice: priceOf(1) }],
    }),
  })
  if (answer.status !== 201) throw new Error(`the bill was refused: ${await answer.text()}`)
}

type Workspace = { key: string; accountId: string; outletId: string }
/** `address` and `databaseUrl` of one running service; each workspace is followed by `perWorkspace` streams. */
type StreamLoad = {
  address: string
  databaseUrl: string
  workspaces: readonly Workspace[]
  perWorkspace: number
  /** Resident memory of the service, bytes. */
  rss(): Promise<number>
  /** Makes one change through the API in the first workspace. */
  changeOne(): Promise<void>
  timeoutMs?: number
}

type StreamFigures = {
  streams: number
  /** A change made by a request: from sending it to the frame at each client of its workspace. */
  one: Delays
  /**
   * One change in every workspace at the same time, published by another process: from its publication to the frame
   * at each client.
   */
  all: Delays
  bytesPerStream: number
  openMs: number
}

type Delays = { clients: number; medianMs: number; slowestMs: number }

type Follower = { socket: Socket; workspace: number; frames: number; heardAt: number }

const OPENING_AT_ONCE = 50
/** After the interval in which bursts are merged. */
const SETTLE_MS = 500

/**
 * Opens all streams on bare sockets, so that thousands fit beside the service on one machine, then times changes to the
 * slowest client.
 */
async function measureStreams(load: StreamLoad): Promise<StreamFigures> {
  const { address, databaseUrl, workspaces, perWorkspace, timeoutMs = 10_000 } = load
  const neighbour = createLive({ url: databaseUrl, clock: systemClock, log: makeLog('silent') })
  const followers: Follower[] = []
  try {
    const wanted = workspaces.flatMap(({ key }, workspace) =>
      Array.from({ length: perWorkspace }, () => ({ key, workspace })),
    )
    // The first stream opens the live connection and warms the route, so it is not counted.
    for (const { key, workspace } of wanted.splice(0, 1))
      followers.push(await follow(address, key, workspace))
    const before = await load.rss()
    const began = performance.now()
    while (wanted.length > 0) {
      const batch = wanted.splice(0, OPENING_AT_ONCE)
      followers.push(...(await Promise.all(batch.map((one) => follow(address, one.key, one.workspace)))))
    }
    const openMs = performance.now() - began
    const bytesPerStream = ((await load.rss()) - before) / (followers.length - 1)
    const tellAll = async () => {
      for (const { accountId, outletId } of workspaces)
        neighbour.publish(accountId, new Set([`kds ${outletId}`]))
    }
    // Opens the connection of the other process; its intervals end before the measurement.
    await delays(followers, tellAll, timeoutMs)
    await sleep(SETTLE_MS)
    const first = followers.filter(({ workspace }) => workspace === 0)
    const one = await delays(first, load.changeOne, timeoutMs)
    await sleep(SETTLE_MS)
    const all = await delays(followers, tellAll, timeoutMs)
    return { streams: followers.length, one, all, bytesPerStream, openMs }
  } finally {
    for (const { socket } of followers) socket.destroy()
    await neighbour.close()
  }
}

/** A client that counts frames and notes when the last one came. */
async function follow(address: string, key: string, workspace: number): Promise<Follower> {
  const { hostname, port } = new URL(address)
  const socket = connect(Number(port), hostname)
  const follower: Follower = { socket, workspace, frames: 0, heardAt: 0 }
  await new Promise<void>((resolve, reject) => {
    let opened = false
    socket.once('error', reject)
    socket.on('data', (bytes) => {
      const text = bytes.toString('latin1')
      if (!opened) {
        if (!text.startsWith('HTTP/1.1 200')) return reject(new Error(text.slice(0, 300)))
        opened = true
        return resolve()
      }
      const frames = text.split('event: change').length - 1
      if (frames === 0) return
      follower.frames += frames
      follower.heardAt = performance.now()
    })
    socket.write(
      `GET /api/v1/events/stream HTTP/1.1\r\nhost: ${hostname}:${port}\r\nauthorization: Bearer ${key}\r\n\r\n`,
    )
  })
  return follower
}

async function delays(
  followers: readonly Follower[],
  change: () => Promise<void>,
  timeoutMs: number,
): Promise<Delays> {
  for (const follower of followers) follower.frames = 0
  const began = performance.now()
  await change()
  while (followers.some(({ frames }) => frames === 0)) {
    if (performance.now() - began > timeoutMs) throw new Error('a stream never received the change')
    await sleep(5)
  }
  const samples = followers.map(({ heardAt }) => heardAt - began).toSorted((a, b) => a - b)
  return {
    clients: samples.length,
    medianMs: samples[Math.floor(samples.length / 2)] ?? 0,
    slowestMs: samples.at(-1) ?? 0,
  }
}
