import fc from 'fast-check'
import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { checker, isStorable, MAX_ARRAY, normalise, replyChecker } from '../../src/platform/http/validate.ts'

const NONE: ReadonlySet<string> = new Set()
const refusal = (work: () => unknown) => {
  try {
    work()
    return 'accepted'
  } catch (error) {
    const { status, param } = error as { status?: number; param?: string }
    return [status, param]
  }
}

test('texts are trimmed wherever they stand, passwords keep their spaces', () => {
  const body = { name: ' a ', inner: { list: [' b', 'c '] }, password: ' secret ', n: 1, flag: null }
  expect(normalise(body, new Set(['password']))).toEqual({
    name: 'a',
    inner: { list: ['b', 'c'] },
    password: ' secret ',
    n: 1,
    flag: null,
  })
})

test('a negative zero is zero: it would come back as another text', () => {
  expect(Object.is((normalise({ n: -0 }, NONE) as { n: number }).n, 0)).toBe(true)
})

test.each<[unknown, string]>([
  [{ name: 'a\u0000' }, 'name'],
  [{ name: '\ud800' }, 'name'],
  [{ name: 'a\udc00b' }, 'name'],
  [{ items: [{ note: 'ok' }, { note: '\ud83d' }] }, 'items[1].note'],
  [{ n: Number.POSITIVE_INFINITY }, 'n'],
  [{ list: [1, Number.NEGATIVE_INFINITY] }, 'list[1]'],
  [{ 'a\u0000': 1 }, 'body'],
  [{ inner: { '\ud800': 1 } }, 'inner'],
  [{ list: Array(MAX_ARRAY + 1).fill(1) }, 'list'],
])('what no field may hold is 400 with its path (%#)', (body, param) => {
  expect(refusal(() => normalise(body, NONE))).toEqual([400, param])
})

test('a password with a character that cannot be stored is refused too', () => {
  expect(refusal(() => normalise({ password: 'a\u0000' }, new Set(['password'])))).toEqual([400, 'password'])
})

test('20 levels are read and 21 are not', () => {
  const nest = (levels: number): unknown => (levels === 0 ? 1 : { a: nest(levels - 1) })
  expect(refusal(() => normalise(nest(20), NONE))).toBe('accepted')
  expect(refusal(() => normalise(nest(21), NONE))).toEqual([400, Array(20).fill('a').join('.')])
})

test('a text is storable exactly when UTF-8 can carry it and it has no NUL', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((n) => String.fromCharCode(n)) }),
      (text) => {
        const survives = Buffer.from(text, 'utf8').toString('utf8') === text && !text.includes('\u0000')
        expect(isStorable(text)).toBe(survives)
      },
    ),
    { numRuns: 2_000 },
  )
})

const Body = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 3 }),
  price: Type.Optional(Type.Integer({ minimum: 0, maximum: 10 })),
  items: Type.Optional(
    Type.Array(Type.Object({ qty: Type.Integer({ minimum: 1 }) }), { minItems: 1, maxItems: 2 }),
  ),
  note: Type.Optional(Type.Union([Type.String({ maxLength: 3 }), Type.Null()])),
})
const check = checker(Body, 'body')

test.each<[unknown, string]>([
  [{}, 'name'],
  [{ name: '' }, 'name'],
  [{ name: '😀😀😀😀' }, 'name'],
  [{ name: null }, 'name'],
  [{ name: 'a', price: '5' }, 'price'],
  [{ name: 'a', price: 1.5 }, 'price'],
  [{ name: 'a', items: [] }, 'items'],
  [{ name: 'a', items: [{ qty: 1 }, {}] }, 'items[1].qty'],
  [{ name: 'a', items: [{ qty: 0 }] }, 'items[0].qty'],
  [{ name: 'a', note: 'long' }, 'note'],
  [{ name: 'a', note: 5 }, 'note'],
])('%j is refused with the path of its fault', (body, param) => {
  expect(refusal(() => check(body))).toEqual([400, param])
})

test('lengths count characters as people do, not halves of pairs', () => {
  expect(refusal(() => check({ name: '😀😀😀' }))).toBe('accepted')
})

test('fields nobody declared are dropped, at every level', () => {
  const body = { name: 'a', extra: 1, items: [{ qty: 1, extra: 2 }] }
  check(body)
  expect(body).toEqual({ name: 'a', items: [{ qty: 1 }] })
})

test('numbers of a query are read from their text, and nothing else is', () => {
  const query = checker(
    Type.Object({ limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })) }),
    'query',
  )
  const sent: Record<string, unknown> = { limit: '20' }
  query(sent)
  expect(sent['limit']).toBe(20)
  for (const limit of ['', '0', '101', '1.5', 'abc', ['1', '2'], '1e400', ' '])
    expect([limit, refusal(() => query({ limit }))]).toEqual([limit, [400, 'limit']])
})

test('a reply with a field it does not declare is a fault of ours', () => {
  const reply = replyChecker(Type.Object({ sale: Type.Object({ id: Type.String() }) }))
  expect(() => reply({ sale: { id: 'a' } })).not.toThrow()
  expect(() => reply({ sale: { id: 'a', secret: 1 } })).toThrow(/breaks its schema/)
  expect(() => reply({ sale: {} })).toThrow(/breaks its schema/)
})
