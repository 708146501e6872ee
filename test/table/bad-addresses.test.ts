import { describe, expect, test } from 'vitest'
import type { Route } from '../../src/platform/http/route.ts'
import { refusalOf } from '../support/expect.ts'
import { acme, deps, useService } from '../support/service.ts'

import { probeFor } from './probes/index.ts'
import { type Probe, pathOf, senderOf } from './request.ts'
import { fieldsOf, type Shape } from './schema-fields.ts'
import { snapshot } from './snapshot.ts'
import { isEnvelope, named, tried } from './tried.ts'

useService()

const ODD_IDS: [string, string][] = [
  ['a NUL', '%00'],
  ['300 characters', 'a'.repeat(300)],
  ['65 characters', 'a'.repeat(65)],
  ['one character', 'a'],
  ['dots and slashes', '%2e%2e%2f%2e%2e%2fetc'],
  ['another script', encodeURIComponent('カフェ')],
  ['an emoji', encodeURIComponent('😀')],
  ['quotes', encodeURIComponent(`'"--`)],
  ['an injection', encodeURIComponent(`' or 1=1 --`)],
  ['blanks', '%20%20'],
  ['half an escape', '%E0%A4%A'],
  ['bytes that are no UTF-8', '%ff%fe'],
  ['undefined', 'undefined'],
  ['a placeholder', '{id}'],
]

describe.each(named(tried.filter((row) => row.path.includes('{'))))('%s', (_, row) => {
  test('an odd id in the path is an unknown one', async () => {
    const probe = await probeFor(row, acme())
    const sender = await senderOf(acme(), row)
    const before = await snapshot(deps().pool, acme())
    const wrong: unknown[] = []
    for (const param of Object.keys(probe.params ?? {})) {
      const lower = (probe.params?.[param] ?? '').toLowerCase()
      for (const [what, text] of [...ODD_IDS, ['lower case', lower] as const]) {
        if (what === 'lower case' && param === 'code') continue
        const path = row.path.replaceAll(/\{(\w+)\}/g, (_all, key: string) =>
          key === param ? text : (probe.params?.[key] ?? ''),
        )
        const body = row.body ? JSON.stringify(probe.body ?? {}) : undefined
        const answer = await sender.raw(
          row.method,
          path,
          body,
          body ? { 'content-type': 'application/json' } : {},
        )
        const unreadable = what === 'half an escape' || what === 'bytes that are no UTF-8'
        if (!isEnvelope(answer) || ![404, ...(unreadable ? [400] : [])].includes(answer.status))
          wrong.push([param, what, answer.status, answer.text])
      }
    }
    expect(wrong).toEqual([])
    expect(await snapshot(deps().pool, acme())).toEqual(before)
  })
})

const queryFields = (row: Route) => fieldsOf((row.query ?? {}) as object as Shape, ['query'])

describe.each(named(tried.filter((row) => row.query)))('%s', (_, row) => {
  const ask = async (probe: Probe, raw: string) => {
    const path = pathOf(row, probe)
    const body = row.body ? JSON.stringify(probe.body ?? {}) : undefined
    const asked = `${path}${path.includes('?') ? '&' : '?'}${raw}`
    return acme().raw(row.method, asked, body, body ? { 'content-type': 'application/json' } : {})
  }
  const without = (probe: Probe, key: string): Probe => {
    const { [key]: _dropped, ...query } = probe.query ?? {}
    return { ...probe, query }
  }

  test('a query outside its bounds is 400 with its name', async () => {
    const probe = await probeFor(row, acme())
    const wrong: unknown[] = []
    for (const { place, shape } of queryFields(row)) {
      const key = String(place[1])
      for (const text of badQueries(shape)) {
        const answer = await ask(without(probe, key), `${key}=${encodeURIComponent(text)}`)
        if (answer.status !== 400 || answer.error?.param !== key || !isEnvelope(answer))
          wrong.push([key, text.slice(0, 40), answer.status, answer.error ?? 'accepted'])
      }
      const twice = await ask(without(probe, key), `${key}=1&${key}=2`)
      if (twice.status !== 400 || twice.error?.param !== key)
        wrong.push([key, 'twice', twice.status, twice.error])
    }
    expect(wrong).toEqual([])
  })

  test('an odd query never meets a fault of ours, and an unknown one is refused', async () => {
    const probe = await probeFor(row, acme())
    const wrong: unknown[] = []
    for (const { place } of queryFields(row)) {
      const key = String(place[1])
      for (const raw of [
        '%',
        '_',
        '\\',
        `'`,
        '%2500',
        'ÿ',
        '2026-13-45',
        '0000-01-01',
        '10000-01-01T00:00:00Z',
        '-0',
        '1e2',
        '0x10',
        '+1',
        'null',
        '[]',
        'x'.repeat(7_000),
      ]) {
        const answer = await ask(without(probe, key), `${key}=${encodeURIComponent(raw)}`)
        if (answer.status >= 500) wrong.push([key, raw.slice(0, 30), answer.status, answer.text])
      }
      for (const raw of [`${key}[]=1`, `${key}[a]=1`, `${key}=%00`, `${key}=%ff`, `${key}`]) {
        const answer = await ask(without(probe, key), raw)
        if (answer.status >= 500) wrong.push([raw, answer.status, answer.text])
      }
    }
    expect(wrong).toEqual([])
    const unknown = await ask(probe, 'noSuchFilter=1')
    expect(refusalOf(unknown)).toMatchObject({ status: 400, param: 'noSuchFilter' })
    expect((await ask(probe, '__proto__=1')).status).toBeLessThan(500)
  })
})

/** Texts that a query field must refuse, whatever its meaning. */
function badQueries(shape: Shape): string[] {
  if (shape.type === 'integer') {
    const { minimum = 0, maximum = 0 } = shape
    return [
      'abc',
      '1.5',
      String(minimum - 1),
      String(maximum + 1),
      '1e400',
      '9007199254740993',
      'NaN',
      '1,2',
      '1 2',
    ]
  }
  if (shape.enum)
    return [
      'no_such_word',
      String(shape.enum[0]).toLowerCase() === shape.enum[0] ? 'TRUE!' : String(shape.enum[0]).toLowerCase(),
      '',
    ]
  if (shape.type === 'string')
    return [
      ...(shape.minLength ? ['', '  '] : []),
      ...(shape.maxLength ? ['x'.repeat(shape.maxLength + 1)] : []),
      'a\u0000b',
    ]
  return []
}

describe.each(named(tried.filter((row) => row.access === 'page')))('%s', (_, row) => {
  test('a cursor that this list did not answer is 400 with param cursor', async () => {
    const probe = await probeFor(row, acme())
    const path = pathOf(row, probe)
    const ask = (cursor: string) =>
      acme().get(`${path}${path.includes('?') ? '&' : '?'}cursor=${encodeURIComponent(cursor)}`)
    const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const at = '2026-11-21T03:00:00.000Z'
    const strange = [
      'x',
      '%%%',
      base64(null),
      base64([]),
      base64([at]),
      base64([at, 'out_01ARZ3NDEKTSV4RRFFQ69G5FAV', 1]),
      base64(['yesterday', 'out_01ARZ3NDEKTSV4RRFFQ69G5FAV']),
      base64([at, `' or 1=1`]),
      base64([at, 'usr_01ARZ3NDEKTSV4RRFFQ69G5FAV']),
      base64({ at, id: 'out_01ARZ3NDEKTSV4RRFFQ69G5FAV' }),
      `${base64([at, 'out_01ARZ3NDEKTSV4RRFFQ69G5FAV'])}=`,
    ]
    for (const cursor of strange) {
      const answer = await ask(cursor)
      expect([cursor, answer.status, answer.error?.param]).toEqual([cursor, 400, 'cursor'])
    }
  })
})
