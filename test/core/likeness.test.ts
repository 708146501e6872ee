import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isAlike, keysOf, likeness, soundOf, wordsOf } from '../../src/core/likeness.ts'

const LETTERS = 'abcdefghijklmnopqrstuvwxyz'
const VOWELS = 'aiueo'
const letter = fc.constantFrom(...LETTERS)
const word = fc.string({ unit: fc.oneof(letter, fc.constantFrom(...VOWELS)), minLength: 4, maxLength: 12 })
const vowelsIn = (text: string) =>
  [...text]
    .flatMap((one, at) => (VOWELS.includes(one) || one === 'y' ? [at] : []))
    .slice(0, 6)
    .filter((at) => text[at] !== 'y')
/** A word with the place of one of its first six vowels. */
const wordWithVowel = word
  .filter((text) => vowelsIn(text).length > 0)
  .chain((text) => fc.record({ text: fc.constant(text), at: fc.constantFrom(...vowelsIn(text)) }))

test('every word is alike to itself without one of its vowels, and with another vowel in its place', () => {
  fc.assert(
    fc.property(wordWithVowel, fc.constantFrom(...VOWELS), ({ text, at }, vowel) => {
      const [before, after] = [text.slice(0, at), text.slice(at + 1)]
      // A word of one sound that is silent without its vowel has no key to share.
      fc.pre(soundOf(before + after) !== '')
      expect(isAlike(before + after, text)).toBe(true)
      expect(isAlike(before + vowel + after, text)).toBe(true)
    }),
    { numRuns: 2_000 },
  )
})

test('likeness of words has no direction', () => {
  fc.assert(fc.property(word, word, (one, other) => isAlike(one, other) === isAlike(other, one)))
})

test('a word has few keys, and none of them is empty', () => {
  fc.assert(
    fc.property(fc.string({ unit: letter, maxLength: 30 }), (text) => {
      const keys = keysOf(text)
      expect(keys.length).toBeLessThanOrEqual(7)
      expect(keys).not.toContain('')
    }),
  )
})

test.each([
  ['americano', 'amerikano'],
  ['cappuccino', 'kapukino'],
  ['kopy', 'kopi'],
  ['indomie', 'indomi'],
  ['photo', 'poto'],
  ['goenoeng', 'gununk'],
  ['goreng', 'gorenk'],
  ['juice', 'juike'],
  ['x', 'ks'],
])('%s sounds like %s', (text, sound) => {
  expect(soundOf(text)).toBe(sound)
})

test.each([
  ['nasi', 'nasa', true],
  ['goreng', 'gorang', true],
  ['alpukat', 'alpokat', true],
  ['kerupuk', 'krupuk', true],
  ['krupuk', 'kerupuk', true],
  ['susu', 'ssu', true],
  ['teh', 'tih', false],
  ['sambal', 'sombel', false],
  ['kopi', 'kops', false],
])('%s and %s are alike: %s', (one, other, expected) => {
  expect(isAlike(one, other)).toBe(expected)
})

test('words are letters in lower case, without accents, codes and sizes', () => {
  expect(wordsOf('Café Latte 250ml, Gado2 & SKU-01 (isi 5)')).toEqual([
    'cafe',
    'latte',
    'gado',
    'gado',
    'isi',
  ])
  expect(wordsOf("50% '\\ \n")).toEqual([])
})

test('a text with the same words is more like a query than one with the same sounds', () => {
  expect([
    likeness('kopi melati', 'Kopi Melati'),
    likeness('kopy melati', 'Kopi Melati'),
    likeness('kpi melati', 'Kopi Melati'),
  ]).toEqual([2, 1.5, 1])
})
