import { beforeAll, describe, expect, test } from 'vitest'
import type { Route } from '../../src/platform/http/route.ts'
import { refusalOf } from '../support/expect.ts'
import { acme, deps, useService } from '../support/service.ts'

import { type Bad, breaking, odd } from './bad-values.ts'
import { probeFor } from './probes/index.ts'
import { type Place, type Probe, paramOf, pathOf, withAt } from './request.ts'
import { type Field, fieldsOf, type Shape } from './schema-fields.ts'
import { snapshot } from './snapshot.ts'
import { answering, isEnvelope, named } from './tried.ts'

useService()

const HOLE = '__hole__'
/** The body with the bad value written in as text. */
const bodyWith = (probe: Probe, place: Place, bad: Bad) =>
  bad.json === ''
    ? JSON.stringify(withAt(probe, place, undefined).body ?? {})
    : JSON.stringify(withAt(probe, place, HOLE).body).replace(JSON.stringify(HOLE), () => bad.json)

const post = (
  row: Route,
  probe: Probe,
  body: string | Buffer | undefined,
  headers: Record<string, string> = {},
) =>
  acme().raw(row.method, pathOf(row, probe), body, {
    'content-type': 'application/json',
    ...probe.headers,
    ...headers,
  })

async function inBatches<T>(items: readonly T[], size: number, work: (item: T) => Promise<void>) {
  for (let start = 0; start < items.length; start += size) {
    await Promise.all(items.slice(start, start + size).map(work))
  }
}

/** Fields of the request that exists: the first entry of a list only when the request has one. */
function fieldsIn(row: Route, probe: Probe): Field[] {
  const reachable = ({ place }: Field) =>
    place
      .slice(0, -1)
      .reduce<unknown>(
        (value, key) => (value as Record<string, unknown> | undefined)?.[key as string],
        probe,
      ) !== undefined
  return fieldsOf((row.body ?? {}) as object as Shape, ['body']).filter(reachable)
}

const reading = answering.filter((row) => row.body)
/** One reader reads every body before its row is asked, so what it refuses is shown once for each kind of row. */
const kindOf = ({ access, bodyLimit, errands }: Route) => `${access} ${bodyLimit} ${errands}`
const firstOfItsKind = (row: Route) => reading.find((one) => kindOf(one) === kindOf(row)) === row

describe.each(named(reading))('%s', (_, row) => {
  let probe: Probe
  beforeAll(async () => {
    probe = await probeFor(row, acme())
  })

  test('a field that breaks its shape is 400 with its name, and nothing is written', async () => {
    const before = await snapshot(deps().pool, acme())
    const cases = fieldsIn(row, probe).flatMap((field) => breaking(field).map((bad) => ({ field, bad })))
    expect(cases.length).toBeGreaterThan(0)
    const wrong: unknown[] = []
    await inBatches(cases, 8, async ({ field, bad }) => {
      const answer = await post(row, probe, bodyWith(probe, field.place, bad))
      const param = paramOf(field.place)
      if (
        answer.status !== 400 ||
        answer.error?.code !== 'VALIDATION_ERROR' ||
        answer.error?.param !== param ||
        !isEnvelope(answer)
      )
        wrong.push([param, bad.what, answer.status, answer.error ?? answer.data])
    })
    expect(wrong).toEqual([])
    expect(await snapshot(deps().pool, acme())).toEqual(before)
  })

  test('a field with an odd value never meets a fault of ours', async () => {
    const cases = fieldsIn(row, probe).flatMap((field) => odd(field).map((bad) => ({ field, bad })))
    const wrong: unknown[] = []
    await inBatches(cases, 4, async ({ field, bad }) => {
      const answer = await post(row, probe, bodyWith(probe, field.place, bad))
      if (answer.status >= 500 || (answer.status >= 300 && !isEnvelope(answer)))
        wrong.push([paramOf(field.place), bad.what, answer.status, answer.text])
    })
    expect(wrong).toEqual([])
  })

  test('a body that is no object, no JSON or no text we read is refused, and nothing is written', async () => {
    const before = await snapshot(deps().pool, acme())
    const good = JSON.stringify(probe.body ?? {})
    const deep = (levels: number) => `{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`
    const shape: [string, string | Buffer, Record<string, string>, number][] = [
      ['not JSON', '{"name": nope}', {}, 400],
      ['a list', `[${good}]`, {}, 400],
      ['null', 'null', {}, 400],
      ['a form', 'name=a', { 'content-type': 'application/x-www-form-urlencoded' }, 415],
    ]
    const reader: typeof shape = [
      ['a trailing comma', `${good.slice(0, -1)},}`, {}, 400],
      ['cut short', good.slice(0, -1), {}, 400],
      ['two documents', `${good}${good}`, {}, 400],
      ['a text', '"text"', {}, 400],
      ['a number', '5', {}, 400],
      ['true', 'true', {}, 400],
      ['a byte order mark before nonsense', '\uFEFFnope', {}, 400],
      ['__proto__', `{"__proto__":{"name":"a"},${good.slice(1)}`, {}, 400],
      ['constructor.prototype', `{"constructor":{"prototype":{"a":1}},${good.slice(1)}`, {}, 400],
      ['21 levels', deep(20), {}, 400],
      ['10000 levels', deep(10_000), {}, 400],
      ['bytes that are no UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]), {}, 400],
      ['a field name with NUL', '{"a\\u0000":1}', {}, 400],
      ['a field name with half a pair', '{"\\ud800":1}', {}, 400],
      ['1 MiB and a byte', `{"a":"${'x'.repeat(1024 * 1024)}"}`, {}, 413],
      ['text/plain', good, { 'content-type': 'text/plain' }, 415],
      ['multipart', good, { 'content-type': 'multipart/form-data; boundary=x' }, 415],
      ['xml', '<a/>', { 'content-type': 'application/xml' }, 415],
      ['no type that is one', good, { 'content-type': 'nonsense' }, 415],
      ['an empty type', good, { 'content-type': '' }, 415],
      ['UTF-16', Buffer.from(good, 'utf16le'), { 'content-type': 'application/json; charset=utf-16' }, 415],
      ['gzip', Buffer.from(good), { 'content-encoding': 'gzip' }, 415],
    ]
    const wrong: unknown[] = []
    const cases = firstOfItsKind(row) ? [...shape, ...reader] : shape
    await inBatches(cases, 6, async ([what, body, headers, status]) => {
      const limited = status === 413 && row.bodyLimit !== undefined && row.bodyLimit > 1024 * 1024
      if (limited) return
      const answer = await post(row, probe, body, headers)
      if (answer.status !== status || !isEnvelope(answer)) wrong.push([what, answer.status, answer.text])
    })
    expect(wrong).toEqual([])
    expect(await snapshot(deps().pool, acme())).toEqual(before)
  })

  test('no body reads as an empty one', async () => {
    const [required] = (row.body?.required ?? []) as string[]
    const before = await snapshot(deps().pool, acme())
    const absent = await acme().raw(row.method, pathOf(row, probe), undefined, {})
    const empty = await post(row, probe, '')
    for (const answer of [absent, empty]) {
      if (required) {
        expect(refusalOf(answer)).toMatchObject({ status: 400, code: 'VALIDATION_ERROR' })
        expect(answer.error.param).toBe(required)
      } else expect(answer.status).toBeLessThan(500)
    }
    if (required) expect(await snapshot(deps().pool, acme())).toEqual(before)
  })
})
