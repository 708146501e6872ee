import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { documented } from '../../src/platform/http/fields.ts'
import { AlsoNamed } from '../../src/platform/http/shapes.ts'
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

test('texts are trimmed wherever they are, passwords keep their spaces', () => {
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

test.each<[unknown, string]>([
  [{ name: 'a', extra: 1 }, 'extra'],
  [{ extra: 1 }, 'extra'],
  [{ name: 'a', items: [{ qty: 1 }, { qty: 1, extra: 2 }] }, 'items[1].extra'],
  [{ name: 'a', 'odd name': 1 }, 'odd name'],
  [{ name: 'a', '': 1 }, 'body'],
  [{ name: 'a', toString: 1 }, 'toString'],
])('%j holds a field that nobody declared and is refused with its path', (body, param) => {
  expect(refusal(() => check(body))).toEqual([400, param])
})

const Line = Type.Object({
  lineId: AlsoNamed('itemId', Type.String()),
  qty: AlsoNamed('quantity', Type.Integer({ minimum: 1 })),
})
const Lines = Type.Object({ lines: Type.Optional(Type.Union([Type.Array(Line), Type.Null()])) })

test('a field may be sent under its other name, and a handler sees the first one', () => {
  const body = {
    lines: [
      { itemId: 'a', quantity: 2 },
      { lineId: 'b', itemId: 'b', qty: 1, quantity: 1 },
    ],
  }
  checker(Lines, 'body')(body)
  expect(body).toEqual({
    lines: [
      { lineId: 'a', qty: 2 },
      { lineId: 'b', qty: 1 },
    ],
  })
  expect(refusal(() => checker(Lines, 'body')({ lines: [{ itemId: 'a', quantity: 0 }] }))).toEqual([
    400,
    'lines[0].qty',
  ])
})

test('two names of one field with two values are 400', () => {
  const body = { lines: [{ lineId: 'a', itemId: 'b', qty: 1 }] }
  expect(refusal(() => checker(Lines, 'body')(body))).toEqual([400, 'lines[0].itemId'])
})

test('fields of the record are dropped where the record has them, and nowhere else', () => {
  const Saved = Type.Object({ id: Type.String(), lines: Type.Array(Type.Object({ amount: Type.Integer() })) })
  const keep = checker(Lines, 'body', { record: Saved })
  const body = { id: 5, lines: [{ lineId: 'a', qty: 1, amount: 'x' }] }
  keep(body)
  expect(body).toEqual({ lines: [{ lineId: 'a', qty: 1 }] })
  expect(refusal(() => keep({ amount: 1 }))).toEqual([400, 'amount'])
  expect(refusal(() => keep({ lines: [{ lineId: 'a', qty: 1, id: 'x' }] }))).toEqual([400, 'lines[0].id'])
})

test('a notice of a partner keeps what is known and loses the rest', () => {
  const body = { name: 'a', extra: 1, items: [{ qty: 1, extra: 2 }] }
  checker(Body, 'body', { lenient: true })(body)
  expect(body).toEqual({ name: 'a', items: [{ qty: 1 }] })
})

test('the document of a request is closed, names what is ignored and takes either name of a field', () => {
  const Saved = Type.Object({ id: Type.String(), lines: Type.Array(Type.Object({ amount: Type.Integer() })) })
  const validate = new Ajv2020({ strict: false }).compile(documented(Lines, Saved) as object)
  for (const body of [
    {},
    { lines: null },
    {
      id: 'x',
      lines: [
        { lineId: 'a', qty: 1, amount: 5 },
        { itemId: 'a', quantity: 1 },
      ],
    },
  ])
    expect([body, validate(body)]).toEqual([body, true])
  for (const body of [
    { amount: 1 },
    { extra: 1 },
    { lines: [{ lineId: 'a' }] },
    { lines: [{ lineId: 'a', qty: 1, id: 'x' }] },
  ])
    expect([body, validate(body)]).toEqual([body, false])
  expect((documented(Lines, Saved) as { properties: { id: unknown } }).properties.id).toEqual({
    readOnly: true,
  })
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
  expect(() => reply({ sale: { id: 'a', secret: 1 } })).toThrow(/does not match its schema/)
  expect(() => reply({ sale: {} })).toThrow(/does not match its schema/)
})
