import type { Field } from './schema-fields.ts'

/** A value as it stands in JSON, since some of them (1e400, a lone surrogate) have no way through JSON.stringify. */
export type Bad = { what: string; json: string }

const json = (what: string, value: unknown): Bad => ({ what, json: JSON.stringify(value) })

const UNSTORABLE: Bad[] = [
  { what: 'a text with NUL', json: '"a\\u0000b"' },
  { what: 'half a surrogate pair', json: '"a\\ud800"' },
  { what: 'the other half', json: '"\\udc00a"' },
]
const NO_INTEGER: Bad[] = [
  json('a number as text', '5'),
  json('a fraction', 1.5),
  json('a boolean', true),
  json('a list', [1]),
  json('an object', { a: 1 }),
  json('NaN as text', 'NaN'),
  json('an empty text', ''),
  { what: '1e400', json: '1e400' },
  { what: '-1e400', json: '-1e400' },
]

/** Values that break the declared shape of a field, each of them a 400 that names it (B-request-3). */
export function breaking({ shape, nullable, required }: Field): Bad[] {
  const bad: Bad[] = []
  if (!nullable && shape.type) bad.push(json('null', null))
  if (required) bad.push({ what: 'absent', json: '' })
  switch (shape.type) {
    case 'integer':
      bad.push(...NO_INTEGER)
      if (shape.minimum !== undefined) bad.push(json('below the least', shape.minimum - 1))
      if (shape.exclusiveMinimum !== undefined) bad.push(json('not above the bound', shape.exclusiveMinimum))
      if (shape.maximum !== undefined)
        bad.push(json('above the most', shape.maximum + 1), json('twice the most', shape.maximum * 2 + 1))
      if ((shape.maximum ?? 0) < 2 ** 53) bad.push({ what: '2^53+1', json: '9007199254740993' })
      if ((shape.maximum ?? 0) < 1e300) bad.push({ what: '1e300', json: '1e300' })
      break
    case 'string':
      bad.push(
        json('a number', 5),
        json('a boolean', false),
        json('a list', ['a']),
        json('an object', { a: 'b' }),
      )
      bad.push(...UNSTORABLE)
      if ((shape.minLength ?? 0) > 0 && !shape.enum)
        bad.push(json('empty', ''), ...(shape['x-verbatim'] ? [] : [json('blanks', ' \t\n ')]))
      if (shape.maxLength !== undefined)
        bad.push(
          json('too long', 'x'.repeat(shape.maxLength + 1)),
          json('too long in emoji', '😀'.repeat(shape.maxLength + 1)),
        )
      if (shape.enum) {
        bad.push(json('a word that is none of them', 'NO_SUCH_WORD'), json('empty', ''))
        const [first] = shape.enum
        if (typeof first === 'string' && first !== first.toLowerCase())
          bad.push(json('in lower case', first.toLowerCase()))
      }
      break
    case 'boolean':
      bad.push(
        json('a text', 'true'),
        json('1', 1),
        json('0', 0),
        json('a list', [true]),
        json('an object', {}),
      )
      break
    case 'array':
      bad.push(json('a text', 'a'), json('a number', 1), json('an object', { 0: 'a' }), json('true', true))
      break
    case 'object':
      bad.push(json('a text', 'a'), json('a number', 1), json('a list', []), json('true', true))
      break
    default:
  }
  return bad
}

/** Values at the edge of what is declared, or stranger: whatever they answer, it is no fault of ours. */
export function odd({ shape }: Field): Bad[] {
  switch (shape.type) {
    case 'integer':
      return [
        ...(shape.minimum === undefined ? [] : [json('the least', shape.minimum)]),
        ...(shape.maximum === undefined ? [] : [json('the most', shape.maximum)]),
        { what: '-0', json: '-0' },
        { what: '1.0', json: '1.0' },
        { what: '1e2', json: '1e2' },
      ]
    case 'string':
      return [
        json('right to left', 'مقهى\u202Eabc'),
        json('zero width', 'a\u200Bb\u200D'),
        json('quotes', `'"; drop table outlets; --`),
        json('wildcards', '%_\\%'),
        json('markup', '<script>alert(1)</script>'),
        json('CR LF', 'a\r\nset-cookie: a=b'),
        json('an id of nobody', 'out_01ARZ3NDEKTSV4RRFFQ69G5FAV'),
        json('a path', '../../etc/passwd'),
        ...(shape.maxLength === undefined
          ? []
          : [json('emoji up to the limit', '😀'.repeat(shape.maxLength))]),
      ]
    case 'array':
      return [
        json('empty', []),
        json('nulls', [null]),
        json('a list in it', [[]]),
        json('10001 entries', Array(10_001).fill('a')),
      ]
    default:
      return shape.type === undefined || shape.type === 'object'
        ? [json('empty object', {}), json('a text', 'a'), ...UNSTORABLE]
        : []
  }
}
