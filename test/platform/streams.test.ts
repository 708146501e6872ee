import Fastify from 'fastify'
import pino from 'pino'
import { afterEach, expect, test } from 'vitest'
import { systemClock } from '../../src/platform/clock.ts'
import { openStreams, type Streams } from '../../src/platform/live/streams.ts'
import { type EventStream, openStream } from '../support/stream.ts'

type Followed = {
  accountId: string
  outletId: string | null
  outletIds(): Promise<readonly string[]>
  isAllowed?(): Promise<boolean>
}

const LIMITS = {
  perAccount: 20,
  bufferBytes: 64 * 1024,
  unreadMs: 60_000,
  pingMs: 25_000,
  recheckMs: 30_000,
  outletsMs: 5_000,
}
const undo: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const step of undo.splice(0)) await step()
})

/** Streams over real HTTP; `?n=…` names one of `followed`. */
async function serving(followed: readonly Followed[], limits: Partial<typeof LIMITS> = {}) {
  const lines: string[] = []
  const log = pino({}, { write: (line: string) => lines.push(line) })
  const streams: Streams = openStreams(systemClock, log, { ...LIMITS, ...limits })
  const app = Fastify({ forceCloseConnections: true })
  app.get('/api/v1/events/stream', (request, reply) => {
    const { n } = request.query as { n: string }
    const one = followed[Number(n)]
    if (!one) throw new Error('no such stream')
    streams.open({ isAllowed: async () => true, ...one, reply, credential: n })
  })
  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  undo.push(
    () => streams.end(),
    () => app.close(),
  )
  const opened: EventStream[] = []
  for (const n of followed.keys()) opened.push(await openStream(address, '', { query: `?n=${n}` }))
  return { streams, opened, lines }
}

const outletsOf = (stream: EventStream | undefined) =>
  (stream?.frames() ?? []).map(({ change }) => `${change.topic} ${change.outletId}`)
const EVERY_BOARD = (outletId: string) => [
  'catalogue null',
  `kds ${outletId}`,
  `serve ${outletId}`,
  `floor ${outletId}`,
  `print ${outletId}`,
]

test('a workspace whose outlets cannot be read does not hold up the others, and its own clients connect again', async () => {
  const away = () => Promise.reject(new Error('the database is away'))
  const { streams, opened, lines } = await serving([
    { accountId: 'broken', outletId: null, outletIds: away },
    { accountId: 'broken', outletId: 'b1', outletIds: away },
    { accountId: 'well', outletId: null, outletIds: async () => ['w1'] },
  ])
  const [broken, brokenPinned, well] = opened
  await streams.deliverAll()
  await broken?.until(({ isEnded }) => isEnded())
  await well?.until(({ frames }) => frames().length === EVERY_BOARD('w1').length)
  await brokenPinned?.until(({ frames }) => frames().length === EVERY_BOARD('w1').length)
  expect(outletsOf(broken)).toEqual([])
  expect(outletsOf(well)).toEqual(EVERY_BOARD('w1'))
  expect(outletsOf(brokenPinned)).toEqual(EVERY_BOARD('b1'))
  expect([brokenPinned?.isEnded(), well?.isEnded()]).toEqual([false, false])
  expect(lines.filter((line) => line.includes('the database is away'))).toHaveLength(1)
})

test('a workspace whose outlets are slow to read holds none of the others up, and is ended when it takes too long', async () => {
  const never = () => new Promise<readonly string[]>(() => {})
  const { streams, opened } = await serving(
    [
      { accountId: 'slow', outletId: null, outletIds: never },
      { accountId: 'well', outletId: null, outletIds: async () => ['w1'] },
    ],
    { outletsMs: 1_500 },
  )
  const [slow, well] = opened
  const all = streams.deliverAll()
  await well?.until(({ frames }) => frames().length === EVERY_BOARD('w1').length, 1_000)
  expect(slow?.isEnded()).toBe(false)
  await slow?.until(({ isEnded }) => isEnded())
  await all
  expect(well?.isEnded()).toBe(false)
})

test('after a reconnect a stream whose credential is not checked in time is ended and gets nothing, and the others are told', async () => {
  const outletIds = async () => ['w1']
  const never = () => new Promise<boolean>(() => {})
  const { streams, opened } = await serving(
    [
      { accountId: 'slow', outletId: null, outletIds, isAllowed: never },
      { accountId: 'slow', outletId: 's1', outletIds, isAllowed: never },
      { accountId: 'well', outletId: null, outletIds },
      { accountId: 'slow', outletId: 's2', outletIds },
    ],
    { outletsMs: 300 },
  )
  const [slow, slowPinned, well, checked] = opened
  await streams.deliverAll()
  for (const one of [well, checked]) await one?.until(({ frames }) => frames().length === 5)
  for (const one of [slow, slowPinned]) await one?.until(({ isEnded }) => isEnded())
  expect(opened.map(outletsOf)).toEqual([[], [], EVERY_BOARD('w1'), EVERY_BOARD('s2')])
  expect([well?.isEnded(), checked?.isEnded()]).toEqual([false, false])
})

test('streams that come and go while outlets are read neither stop the round nor hear twice', async () => {
  let answer = (_outletIds: readonly string[]) => {}
  const outletIds = () =>
    new Promise<readonly string[]>((resolve) => {
      answer = resolve
    })
  const { streams, opened } = await serving([
    { accountId: 'one', outletId: null, outletIds },
    { accountId: 'two', outletId: null, outletIds: async () => ['t1'] },
  ])
  const [one, two] = opened
  const all = streams.deliverAll()
  one?.close()
  await expect.poll(() => streams.has('one')).toBe(false)
  answer(['o1'])
  await all
  await two?.until(({ frames }) => frames().length === EVERY_BOARD('w1').length)
  expect(outletsOf(two)).toEqual(EVERY_BOARD('t1'))
})

test('a stream that is not read is dropped once something has waited for it as long as it may, however little that is', async () => {
  const tuning = { bufferBytes: Number.MAX_SAFE_INTEGER, unreadMs: 200, pingMs: 50 }
  const follow = { accountId: 'one', outletIds: async () => [] }
  const { streams, opened, lines } = await serving(
    [
      { ...follow, outletId: 'deaf' },
      { ...follow, outletId: 'other' },
    ],
    tuning,
  )
  const [deaf, other] = opened
  deaf?.pause()
  // What the system itself takes for a client that reads nothing ends somewhere below 64 MiB.
  const long = `one ${'k'.repeat(65_536)} deaf`
  for (let n = 0; n < 1_000; n += 1) streams.deliver(long)
  await expect.poll(() => lines.filter((line) => line.includes('did not read')).length).toBe(1)
  expect(lines.find((line) => line.includes('did not read'))).toContain('"outletId":"deaf"')
  const pings = other?.text().length ?? 0
  await other?.until(({ text }) => text().length > pings)
  expect(other?.isEnded()).toBe(false)
})
