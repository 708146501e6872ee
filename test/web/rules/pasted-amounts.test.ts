import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatAmount, readAmount } from '../../../web/src/ui/rupiah.ts'

/** The amount in a field after a paste. `before` marks the cursor or the selection: "12|.500", "[0]". */
function paste(before: string, data: string): number | null {
  const [, start = '', end = ''] = /^(.*?)(?:\||\[.*\])(.*)$/.exec(before) ?? []
  // A field has one line: a browser drops the line breaks at the end.
  const inserted = data.replace(/[\r\n]+$/, '')
  const target = { selectionEnd: start.length + inserted.length }
  return readAmount(`${start}${inserted}${end}`, { inputType: 'insertFromPaste', data, target })
}

describe('an amount pasted into a field', () => {
  it('loses its English cents in an empty field and over a selection', () => {
    expect(paste('|', '15000.00')).toBe(15_000)
    expect(paste('[12.500]', '15000.00')).toBe(15_000)
    expect(paste('|', '15.000')).toBe(15_000)
    expect(paste('|', '15,000.00')).toBe(15_000)
  })

  it('loses its cents with the line break that a copied cell ends with', () => {
    expect(paste('|', '15000.00\r\n')).toBe(15_000)
  })

  it('replaces a zero, wherever the cursor is', () => {
    expect(paste('0|', '15000.00')).toBe(15_000)
    expect(paste('|0', '15000.00')).toBe(15_000)
    expect(paste('0|', '5')).toBe(5)
  })

  it('is inserted between the digits of a field, and the dots of the field are no cents', () => {
    expect(paste('12|.500', '34')).toBe(1_234_500)
    expect(paste('1|2', '15000.00')).toBe(1_150_002)
    expect(paste('1|2', '00')).toBe(1_002)
    expect(paste('12.500|', '15000.00')).toBe(1_250_015_000)
    expect(paste('|950.001', '950.00')).toBe(950_950_001)
  })

  it('empties the field if a person has to decide what it means', () => {
    expect(paste('|', '1.50')).toBeNull()
    expect(paste('0|', '1.50')).toBeNull()
    expect(paste('1|2', '1.50')).toBeNull()
  })

  it('changes nothing without digits', () => {
    expect(paste('12.500|', 'Rp')).toBe(12_500)
    expect(paste('|', 'Rp')).toBeNull()
  })

  it('is read with its cents dropped if the browser does not say what was pasted', () => {
    expect(readAmount('15000.00', { inputType: 'insertFromPaste', data: null })).toBe(15_000)
  })

  it('keeps all its digits wherever it is pasted', () => {
    const amount = fc.integer({ min: 1, max: 999_999 })
    fc.assert(
      fc.property(amount, amount, fc.nat(9), (present, pasted, place) => {
        const text = formatAmount(present)
        const start = text.slice(0, place).replaceAll('.', '')
        const end = text.slice(place).replaceAll('.', '')
        expect(paste(`${text.slice(0, place)}|${text.slice(place)}`, `${pasted * 1_000}.00`)).toBe(
          Number(`${start}${pasted}000${end}`.slice(0, 12)),
        )
      }),
    )
  })
})

describe('an amount typed into a field', () => {
  it('is the digits of the field', () => {
    const type = (text: string) => readAmount(text, { inputType: 'insertText', data: text.slice(-1) })
    expect(['1', '12.5005', '', '05'].map(type)).toEqual([1, 125_005, null, 5])
  })
})
