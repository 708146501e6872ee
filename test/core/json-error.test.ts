import fc from 'fast-check'
import { expect, test } from 'vitest'
import { jsonErrorIn } from '../../src/core/json-error.ts'

const isJson = (text: string) => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

test.each<[string, number, number]>([
  ['', 1, 1],
  ['{', 1, 2],
  ['{"a": 1,}', 1, 9],
  ['{"a": 1\n"b": 2}', 2, 1],
  ['{\n  "name": "Kopi",\n  "price": 18.000,00\n}', 3, 19],
  ["{'a': 1}", 1, 2],
  ['{"a": "no end', 1, 7],
  ['{"a": 01}', 1, 8],
  ['[1, 2', 1, 6],
  ['[1, ]', 1, 5],
  ['{} {}', 1, 4],
  ['{"a": tru}', 1, 7],
  ['{"a": "a\tb"}', 1, 7],
  ['{"a": "\\x"}', 1, 7],
])('%j breaks at line %i, column %i', (text, line, column) => {
  expect(jsonErrorIn(text)).toEqual({ line, column })
})

test('a text has an error exactly when the parser of the platform refuses it', () => {
  const words = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    ':',
    ',',
    '"a"',
    '"\\u00e9"',
    '"',
    '\\',
    '1',
    '-0.5e+3',
    '.',
    'true',
    'null',
    'nul',
    ' ',
    '\n',
    '\t',
    '\u00a0',
  )
  const texts = fc.oneof(
    fc.array(words, { maxLength: 12 }).map((parts) => parts.join('')),
    fc.json(),
    fc.tuple(fc.json(), fc.nat(), words).map(([json, at, word]) => {
      const cut = at % (json.length + 1)
      return `${json.slice(0, cut)}${word}${json.slice(cut)}`
    }),
  )
  fc.assert(
    fc.property(texts, (text) => {
      expect(jsonErrorIn(text) === null).toBe(isJson(text))
    }),
    { numRuns: 2_000 },
  )
})

test('a million brackets and a string of a million characters are read in time', () => {
  expect(jsonErrorIn('['.repeat(1_000_000))).toEqual({ line: 1, column: 1_000_001 })
  expect(jsonErrorIn(`{"a": "${'\\n'.repeat(500_000)}" "b"}`)).toEqual({ line: 1, column: 1_000_009 + 1 })
  expect(jsonErrorIn(`{"a": "${'x'.repeat(1_000_000)}`)).toEqual({ line: 1, column: 7 })
})
