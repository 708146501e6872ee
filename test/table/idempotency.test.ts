import { describe, expect, test } from 'vitest'
import { newId } from '../../src/core/ids.ts'
import { manualClock } from '../../src/platform/clock.ts'
import type { Route } from '../../src/platform/http/route.ts'
import { routes } from '../../src/routes.ts'
import { type Answer, acme, deps, globex, startHarness, useService } from '../support/api.ts'
import { hasProbe, probeFor } from './probes.ts'
import { at, idPlaces, nameOf, type Probe, send, unknownLike, withAt } from './request.ts'
import { fieldsOf, type Shape } from './schema-fields.ts'
import { snapshot } from './snapshot.ts'

useService()

const writes = routes.filter((row) => (row.access === 'write' || row.access === 'self') && hasProbe(row))
const build = (row: Route, api = acme()) => probeFor(row, api)
const newKey = () => newId('event')
const dataOf = (answer: Answer) => answer.text.slice(0, answer.text.lastIndexOf('"meta":'))

/** The same request with another free text, when it has one: a valid request that is not the first. */
function reworded(row: Route, probe: Probe): Probe | null {
  const text = fieldsOf((row.body ?? {}) as Shape, ['body']).find(
    ({ place, shape }) =>
      place.length === 2 &&
      ['name', 'note', 'reason', 'label'].includes(String(place[1])) &&
      shape.type === 'string',
  )
  return text ? withAt(probe, text.place, 'Another text') : null
}

/** The same request, refused: with an id of nobody, else with a body of the wrong shape. */
function refused(probe: Probe): Probe {
  const [place] = idPlaces(probe)
  if (place) return withAt(probe, place, unknownLike(String(at(probe, place))))
  return {
    ...probe,
    body: Object.fromEntries(Object.keys(probe.body ?? {}).map((key) => [key, { wrong: true }])),
  }
}

describe.each(writes.map((row) => [nameOf(row), row] as const))('%s', (_, row) => {
  test('a repeat with its key answers the first answer to the byte and writes nothing more', async () => {
    const probe = await build(row)
    const idempotencyKey = newKey()
    const first = await send(acme(), row, probe, { idempotencyKey })
    expect([first.text, first.status < 300]).toEqual([first.text, true])
    expect(first.headers.get('idempotent-replayed')).toBeNull()
    const before = await snapshot(deps().pool, acme())
    const again = await send(acme(), row, probe, { idempotencyKey })
    expect([again.status, dataOf(again)]).toEqual([first.status, dataOf(first)])
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    const quoted = await send(acme(), row, probe, { idempotencyKey: `"${idempotencyKey}"` })
    expect(dataOf(quoted)).toBe(dataOf(first))
    expect(await snapshot(deps().pool, acme())).toEqual(before)
  })

  test('its key refuses another body, another path and another method with 409', async () => {
    const probe = await build(row)
    const idempotencyKey = newKey()
    await send(acme(), row, probe, { idempotencyKey })
    const before = await snapshot(deps().pool, acme())
    const others = [acme().post('/outlets', { name: idempotencyKey }, { idempotencyKey })]
    const other = reworded(row, probe)
    if (other) others.push(send(acme(), row, other, { idempotencyKey }))
    for (const answer of await Promise.all(others)) {
      expect([answer.status, answer.error.code]).toEqual([409, 'IDEMPOTENCY_KEY_IN_USE'])
    }
    expect(await snapshot(deps().pool, acme())).toEqual(before)
  })

  test('a refused request leaves its key free', async () => {
    const probe = await build(row)
    const idempotencyKey = newKey()
    const no = await send(acme(), row, refused(probe), { idempotencyKey })
    if (no.status < 300) return
    expect(no.status).toBeLessThan(500)
    const yes = await send(acme(), row, probe, { idempotencyKey })
    expect([yes.text, yes.status < 300]).toEqual([yes.text, true])
    expect(yes.headers.get('idempotent-replayed')).toBeNull()
  })

  test('two workspaces may use the same key', async () => {
    const idempotencyKey = newKey()
    const mine = await send(acme(), row, await build(row), { idempotencyKey })
    const theirs = await send(globex(), row, await build(row, globex()), { idempotencyKey })
    expect([theirs.text, theirs.status]).toEqual([theirs.text, mine.status])
    expect(theirs.headers.get('idempotent-replayed')).toBeNull()
  })
})

test('50 sends of one key at once have one effect and 50 equal answers', async () => {
  const key = newKey()
  const body = { name: `Once ${key}` }
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => acme().post('/outlets', body, { idempotencyKey: key })),
  )
  expect(new Set(answers.map((answer) => `${answer.status} ${dataOf(answer)}`)).size).toBe(1)
  expect(answers.filter((answer) => answer.headers.get('idempotent-replayed') === null)).toHaveLength(1)
  const { outlets } = (await acme().get('/outlets')).data
  expect(outlets.filter((outlet: { name: string }) => outlet.name === body.name)).toHaveLength(1)
})

test.each([
  ['', 'empty'],
  ['a'.repeat(256), '256 characters'],
  ['two words', 'a blank'],
  ['tab\tbed', 'a tab'],
  ['é', 'no ASCII'],
])('the key %j (%s) is 400 on a write and on the one that commits by itself', async (idempotencyKey) => {
  for (const path of ['/outlets', '/sales']) {
    const row = writes.find((write) => nameOf(write) === `POST ${path}`)
    if (!row) throw new Error(`POST ${path} is not served`)
    const answer = await send(acme(), row, await build(row), { idempotencyKey })
    expect([answer.status, answer.error?.param]).toEqual([400, 'Idempotency-Key'])
  }
})

test('a client that sends its fields in another order sends the same request', async () => {
  const idempotencyKey = newKey()
  const first = await acme().post('/outlets', { name: 'Order', phone: '021' }, { idempotencyKey })
  const second = await acme().post('/outlets', { phone: '021', name: 'Order' }, { idempotencyKey })
  expect([second.status, dataOf(second)]).toEqual([201, dataOf(first)])
})

test('a key is forgotten after 24 hours and not before', async () => {
  const clock = manualClock('2026-11-21T03:00:00.000Z')
  const { harness, stop } = await startHarness({ clock })
  try {
    const options = { idempotencyKey: newKey() }
    const first = await harness.acme.post('/outlets', { name: 'Day one' }, options)
    clock.advance(24 * 3_600_000 - 1_000)
    const replay = await harness.acme.post('/outlets', { name: 'Day one' }, options)
    expect(replay.data).toEqual(first.data)
    clock.advance(2_000)
    const anew = await harness.acme.post('/outlets', { name: 'Day one' }, options)
    expect(anew.data.outlet.id).not.toBe(first.data.outlet.id)
    const other = await harness.acme.post('/outlets', { name: 'Other' }, options)
    expect([other.status, other.error.code]).toEqual([409, 'IDEMPOTENCY_KEY_IN_USE'])
  } finally {
    await stop()
  }
})

test('a stored reply holds no key that was shown once', async () => {
  const idempotencyKey = newKey()
  const made = await acme().post('/api-keys', { name: 'Till' }, { idempotencyKey })
  const rows = await deps().db.selectFrom('idempotencyKeys').select('body').execute()
  expect(made.data.key).toMatch(/^kasir_sk_/)
  expect(rows.filter((row) => row.body.includes('kasir_sk_'))).toEqual([])
})

test('a read ignores the header', async () => {
  const answer = await acme().get('/outlets', { headers: { 'idempotency-key': 'x'.repeat(300) } })
  expect(answer.status).toBe(200)
})
