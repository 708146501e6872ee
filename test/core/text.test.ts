import { expect, test } from 'vitest'
import { clearEmpty, containing, emptyToNull } from '../../src/core/text.ts'

test('what LIKE reads as a sign is looked for as the letter it is', () => {
  expect(containing('50%_a\\b')).toBe('%50\\%\\_a\\\\b%')
  expect(containing(' kopi')).toBe('% kopi%')
})

test('an empty or absent text means none', () => {
  expect(['', undefined, null, ' ', 'x'].map(emptyToNull)).toEqual([null, null, null, ' ', 'x'])
})

test('a field that was not sent stays out of a patch, an empty one is cleared', () => {
  const patch: { note?: string | null; phone?: string | null; name?: string } = { note: '', name: '' }
  expect(clearEmpty(patch, ['note', 'phone'])).toEqual({ note: null, name: '' })
})
