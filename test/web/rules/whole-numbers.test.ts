import { describe, expect, it } from 'vitest'
import { readWhole } from '../../../web/src/office/form/whole-number.ts'
import { formatAmount } from '../../../web/src/ui/rupiah.ts'

type Field = { value: number | null; text: string }
const EMPTY: Field = { value: null, text: '' }
const shownFor = (value: number): Field => ({ value, text: formatAmount(value) })

/** The field after a change, as the form shows it. */
function change({ value, text }: Field, next: string, inputType?: string, data?: string): Field {
  const read = readWhole(next, { inputType, data }, value === null && text !== '' ? null : text)
  return read === null ? { value: null, text: next } : shownFor(read)
}
const type = (keys: string, from = EMPTY): Field =>
  [...keys].reduce((field, key) => change(field, field.text + key, 'insertText', key), from)
const paste = (text: string): number | null => change(EMPTY, text, 'insertFromPaste').value

describe('a field for a whole number', () => {
  it('reads a number that is typed or pasted with thousands separators as the whole number', () => {
    for (const text of ['1000', '1.000', '1,000'])
      expect([type(text).value, paste(text)]).toEqual([1_000, 1_000])
    expect([type('1.250.000').value, paste(' 1.250.000\n')]).toEqual([1_250_000, 1_250_000])
    expect(type('10000').text).toBe('10.000')
  })

  it('has no number while its text has decimals, and never joins them to the digits before', () => {
    for (const text of ['1.5', '1,5', '0.500', '1.000,50', '15000.00', '1.2.3'])
      expect([text, type(text).value, paste(text)]).toEqual([text, null, null])
    expect(paste('1,000.000')).toBe(null)
  })

  it('groups the digits again after one was added or removed', () => {
    const thousand = shownFor(1_000)
    expect(change(thousand, '1.00', 'deleteContentBackward')).toEqual(shownFor(100))
    expect(change(thousand, '1.0005', 'insertCompositionText')).toEqual(shownFor(10_005))
    expect(change(thousand, '10.00', 'insertText', '0')).toEqual(shownFor(1_000))
    // Several characters replace the text, or a separator replaces a group.
    expect(change(thousand, '1,5', 'insertText', '1,5').value).toBe(null)
    expect(change(thousand, '1,', 'insertText', ',').value).toBe(null)
    expect(change(thousand, '1.5', 'insertFromPaste').value).toBe(null)
  })

  it('reads a minus of either kind, also before the first digit is there', () => {
    expect(['-12', '−12', '-1.000'].map((text) => type(text).value)).toEqual([-12, -12, -1_000])
    expect(type('-')).toEqual({ value: null, text: '-' })
    expect(type('1-2').value).toBe(null)
  })

  it('is empty without a text', () => {
    expect(change(shownFor(5), '', 'deleteContentBackward')).toEqual(EMPTY)
  })

  it('takes no number that is too large to be exact', () => {
    expect(paste('9'.repeat(16))).toBe(null)
  })
})
