import { afterEach, expect, test } from 'vitest'
import { createApp } from '../../../../src/app.ts'
import { makeOutlet, makeTable } from '../../../support/build.ts'
import { memberOf } from '../../../support/clients.ts'
import { insertSale } from '../../../support/rows.ts'
import { acme, address, alongside, deps, globex, useService, workspace } from '../../../support/service.ts'
import { type EventStream, openStream } from '../../../support/stream.ts'

useService({ live: { pingMs: 150, recheckMs: 200 }, synthetic: true })

let opened: EventStream[] = []
afterEach(() => {
  for (const stream of opened) stream.close()
  opened = []
})

const follow = async (key: string, query = '', at = address()) => {
  const stream = await openStream(at, key, { query })
  opened.push(stream)
  return stream
}
const followAs = async (cookie: string) => {
  const stream = await openStream(address(), '', { headers: { cookie } })
  opened.push(stream)
  return stream
}
/** The changes of boards of an outlet; the topic catalogue is of all outlets. */
const boardsOf = (stream: EventStream) =>
  stream
    .frames()
    .map(({ change }) => change)
    .filter(({ topic }) => topic !== 'catalogue')
const topicsOf = (stream: EventStream) => boardsOf(stream).map(({ topic }) => topic)
const heard = (topic: string, outletId: string) => (stream: EventStream) =>
  stream.frames().some(({ change }) => change.topic === topic && change.outletId === outletId)

test('a stream says how to reconnect, pings, and sends each change in one frame', async () => {
  const cafe = await workspace('Frames')
  const outletId = await makeOutlet(cafe)
  const stream = await follow(cafe.workspace.key)
  expect(stream.status).toBe(200)
  expect(stream.headers).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'x-accel-buffering': 'no',
    'cache-control': expect.stringContaining('no-cache'),
    'x-request-id': expect.any(String),
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  })
  await makeTable(cafe, outletId, 'A1')
  await stream.until(heard('floor', outletId), 1_000)
  await stream.until(({ text }) => text().includes(': ping\n\n'))
  const [frame] = stream.frames()
  expect(stream.text().startsWith('retry: 3000\n\n')).toBe(true)
  expect(frame?.id).toMatch(/^[0-9A-HJKMNP-TV-Z]{26}$/)
  expect(frame?.change).toEqual({ topic: 'floor', outletId, at: expect.stringMatching(/Z$/) })
})

test('a kitchen step changes kds; serve changes once something becomes ready', async () => {
  const cafe = await workspace('Topics')
  const outletId = await makeOutlet(cafe)
  const sale = await insertSale(deps(), cafe, { outletId })
  const stream = await follow(cafe.workspace.key, `?outletId=${outletId}`)
  await cafe.post(`/kds/${sale.id}/advance`)
  await stream.until(heard('kds', outletId))
  expect(topicsOf(stream)).toEqual(['kds'])
  await cafe.post(`/kds/${sale.id}/advance`)
  await stream.until(heard('serve', outletId))
  expect(new Set(topicsOf(stream))).toEqual(new Set(['kds', 'serve']))
})

test('a refused write notifies nobody', async () => {
  const cafe = await workspace('Quiet')
  const outletId = await makeOutlet(cafe)
  const stream = await follow(cafe.workspace.key)
  const sale = await insertSale(deps(), cafe, { outletId })
  expect((await cafe.post(`/kds/${sale.id}/back`)).status).toBe(409)
  await cafe.post(`/kds/${sale.id}/advance`)
  await stream.until(heard('kds', outletId))
  expect(topicsOf(stream)).toEqual(['kds'])
})

test('a pinned stream hears its outlet only; another workspace hears nothing', async () => {
  const cafe = await workspace('Pins')
  const [mine, other] = [await makeOutlet(cafe), await makeOutlet(cafe)]
  const pinned = await follow(cafe.workspace.key, `?outletId=${mine}`)
  const free = await follow(cafe.workspace.key)
  const stranger = await follow(globex().workspace.key)
  await makeTable(cafe, other, 'B1')
  await makeTable(cafe, mine, 'A1')
  await Promise.all([free.until(heard('floor', other)), pinned.until(heard('floor', mine))])
  expect(boardsOf(pinned).map(({ outletId }) => outletId)).toEqual([mine])
  await makeTable(globex(), await makeOutlet(globex()), 'G1')
  await stranger.until(({ frames }) => frames().length > 0)
  const known = new Set([mine, other])
  expect(boardsOf(stranger).filter(({ outletId }) => known.has(outletId ?? ''))).toEqual([])
})

test('a burst is sent at once and once more when it is over', async () => {
  const cafe = await workspace('Burst')
  const outletId = await makeOutlet(cafe)
  const stream = await follow(cafe.workspace.key)
  for (let n = 0; n < 200; n += 1)
    deps().live.publish(cafe.workspace.accountId, new Set([`kds ${outletId}`, `floor ${outletId}`]))
  await stream.until((one) => boardsOf(one).length >= 4)
  expect(topicsOf(stream).toSorted((a, b) => a.localeCompare(b))).toEqual(['floor', 'floor', 'kds', 'kds'])
})

test('a change made in one process is heard by the streams of another within a second', async () => {
  const neighbour = await alongside()
  const cafe = await workspace('Neighbours')
  const outletId = await makeOutlet(cafe)
  const there = await follow(cafe.workspace.key, '', neighbour.address)
  const here = await follow(cafe.workspace.key)
  await makeTable(cafe, outletId, 'A1')
  await there.until(heard('floor', outletId), 1_000)
  await here.until(heard('floor', outletId), 1_000)
  const sale = await insertSale(deps(), cafe, { outletId })
  await neighbour.as(cafe.workspace.key).post(`/kds/${sale.id}/advance`)
  await here.until(heard('kds', outletId), 1_000)
  there.close()
  await neighbour.stop()
})

test('when the live connection is lost and made again, every stream is asked to read all its boards', async () => {
  const neighbour = await alongside()
  const cafe = await workspace('Reconnect')
  const [one, two] = [await makeOutlet(cafe), await makeOutlet(cafe)]
  const free = await follow(cafe.workspace.key, '', neighbour.address)
  const pinned = await follow(cafe.workspace.key, `?outletId=${one}`, neighbour.address)
  await deps().pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'kasir live' and datname = current_database()`,
  )
  for (const topic of ['kds', 'serve', 'floor']) {
    await free.until(heard(topic, one))
    await free.until(heard(topic, two))
    await pinned.until(heard(topic, one))
  }
  expect(boardsOf(pinned).every(({ outletId }) => outletId === one)).toBe(true)
  await makeTable(cafe, two, 'A1')
  await free.until((stream) => topicsOf(stream).filter((topic) => topic === 'floor').length >= 3)
  await neighbour.stop()
})

test('a revoked key ends its streams, and no others', async () => {
  const cafe = await workspace('Revoked')
  const stream = await follow(cafe.workspace.key)
  const other = await follow(acme().workspace.key)
  await deps()
    .db.updateTable('apiKeys')
    .set({ revokedAt: deps().clock.now() })
    .where('id', '=', cafe.workspace.keyId)
    .execute()
  await stream.until(({ isEnded }) => isEnded())
  expect(other.isEnded()).toBe(false)
})

test('a key that is revoked while the live connection is lost ends its streams when it is made again', async () => {
  const neighbour = await alongside({ live: { recheckMs: 600_000 } })
  const [cafe, other] = [await workspace('Lost'), await workspace('Kept')]
  const outletId = await makeOutlet(other)
  const revoked = await follow(cafe.workspace.key, '', neighbour.address)
  const kept = await follow(other.workspace.key, '', neighbour.address)
  // A direct change sends no notification, as if it had been lost with the connection.
  await deps()
    .db.updateTable('apiKeys')
    .set({ revokedAt: deps().clock.now() })
    .where('id', '=', cafe.workspace.keyId)
    .execute()
  await deps().pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'kasir live' and datname = current_database()`,
  )
  await kept.until(heard('floor', outletId))
  await revoked.until(({ isEnded }) => isEnded())
  expect(revoked.frames()).toEqual([])
  expect(kept.isEnded()).toBe(false)
  await neighbour.stop()
})

test('a second factor that becomes a duty ends the streams of sessions that lack it, and no others', async () => {
  const cafe = await workspace('Factor')
  const [owner, manager, cashier] = [
    await memberOf(cafe, 'OWNER'),
    await memberOf(cafe, 'MANAGER'),
    await memberOf(cafe, 'CASHIER'),
  ]
  const lacking = await followAs(manager.cookie)
  const others = [await followAs(cashier.cookie), await follow(cafe.workspace.key)]
  expect([lacking, ...others].map(({ status }) => status)).toEqual([200, 200, 200])
  expect((await owner.api.put('/settings', { secondFactorRequired: true })).status).toBe(200)
  await lacking.until(({ isEnded }) => isEnded())
  expect((await followAs(manager.cookie)).status).toBe(403)
  expect(others.map(({ isEnded }) => isEnded())).toEqual([false, false])
})

test('the 21st stream of a workspace is refused until one closes', async () => {
  const cafe = await workspace('Many')
  const streams = await Promise.all(Array.from({ length: 20 }, () => follow(cafe.workspace.key)))
  const refused = await follow(cafe.workspace.key)
  expect([refused.status, refused.headers['retry-after']]).toEqual([429, '30'])
  await refused.until(({ isEnded }) => isEnded())
  expect(JSON.parse(refused.text()).error.code).toBe('RATE_LIMITED')
  expect((await follow(globex().workspace.key)).status).toBe(200)
  streams[0]?.close()
  for (let tries = 0; ; tries += 1) {
    const again = await follow(cafe.workspace.key)
    if (again.status === 200) break
    if (tries === 50) throw new Error('the place of the closed stream never came free')
  }
})

test('20 openings at once never pass the limit', async () => {
  const cafe = await workspace('Rush')
  const streams = await Promise.all(Array.from({ length: 30 }, () => follow(cafe.workspace.key)))
  expect(streams.filter((stream) => stream.status === 200)).toHaveLength(20)
})

test('a stream needs a credential and a known outlet, refused in the envelope before it opens', async () => {
  const foreign = await makeOutlet(globex())
  const cases: [string, string, number, string][] = [
    ['', '', 401, 'AUTH_REQUIRED'],
    ['kasir_sk_nonsense', '', 401, 'AUTH_REQUIRED'],
    ['', `?key=${acme().workspace.key}`, 401, 'AUTH_REQUIRED'],
    [acme().workspace.key, '?outletId=out_01ARZ3NDEKTSV4RRFFQ69G5FAV', 404, 'NOT_FOUND'],
    [acme().workspace.key, `?outletId=${foreign}`, 404, 'NOT_FOUND'],
    [acme().workspace.key, '?outletId=', 400, 'VALIDATION_ERROR'],
  ]
  for (const [key, query, status, code] of cases) {
    const refused = await follow(key, query)
    await refused.until(({ isEnded }) => isEnded())
    expect([refused.status, JSON.parse(refused.text()).error.code]).toEqual([status, code])
  }
})

test('Last-Event-ID and Accept change nothing, and HEAD answers without a stream', async () => {
  const headers = { 'last-event-id': 'garbage', accept: 'text/html' }
  const stream = await openStream(address(), acme().workspace.key, { headers })
  opened.push(stream)
  expect(stream.status).toBe(200)
  const head = await acme().raw('HEAD', '/events/stream', undefined, {})
  expect([head.status, head.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8'])
})

test('a client that stops reading is closed before it fills the memory of the service', async () => {
  const cafe = await workspace('Slow')
  const outletId = await makeOutlet(cafe)
  const slow = await follow(cafe.workspace.key)
  slow.pause()
  // These hear nothing of the flood; with them the workspace is full until the slow one is gone.
  await Promise.all(Array.from({ length: 19 }, () => follow(cafe.workspace.key, `?outletId=${outletId}`)))
  const before = process.memoryUsage().rss
  let status = 429
  for (let told = 0; status === 429 && told < 400_000; told += 1) {
    deps().live.publish(cafe.workspace.accountId, new Set([`kds out_${told}`]))
    if (told % 100 === 0) await new Promise(setImmediate)
    if (told % 10_000 === 0) status = (await follow(cafe.workspace.key, `?outletId=${outletId}`)).status
  }
  expect(status).toBe(200)
  expect((process.memoryUsage().rss - before) / 1e6).toBeLessThan(200)
})

test('streams that wait for the live connection to be made keep no write of their workspace waiting', async () => {
  let release = () => {}
  const gate = new Promise<void>((resolve) => {
    release = resolve
  })
  const { live } = deps()
  const open = (stream: Parameters<typeof live.open>[0]) => gate.then(() => live.open(stream))
  const app = await createApp({ ...deps(), live: { ...live, open } })
  try {
    const at = await app.listen({ host: '127.0.0.1', port: 0 })
    const cafe = await workspace('Waiting')
    const outletId = await makeOutlet(cafe)
    const streams = Array.from({ length: 15 }, () => follow(cafe.workspace.key, `?outletId=${outletId}`, at))
    const made = await cafe.raw('POST', `${at}/api/v1/outlets`, JSON.stringify({ name: 'Senen' }), {
      'content-type': 'application/json',
    })
    expect([made.status, opened]).toEqual([201, []])
    release()
    for (const stream of await Promise.all(streams)) expect(stream.status).toBe(200)
  } finally {
    release()
    for (const stream of opened) stream.close()
    await app.close()
  }
})

test('closing the service ends its streams at once, also one that is not read', async () => {
  const neighbour = await alongside()
  const stream = await follow(acme().workspace.key, '', neighbour.address)
  // A stop that waited for its streams would take the whole drain time of ten seconds.
  const started = performance.now()
  await neighbour.stop()
  expect(performance.now() - started).toBeLessThan(9_000)
  await stream.until(({ isEnded }) => isEnded())
})
