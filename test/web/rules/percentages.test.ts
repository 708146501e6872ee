import { describe, expect, it } from 'vitest'
import { formatPercent, parsePercent } from '../../../web/src/office/percent.ts'

describe('a typed percentage', () => {
  it('may begin or end with its comma or dot', () => {
    const texts = ['12', '12,5', '12.5', '12,', '7,25', ',5', '.5', ',05', '0,5']
    expect(texts.map(parsePercent)).toEqual([1_200, 1_250, 1_250, 1_200, 725, 50, 50, 5, 50])
  })

  it('is none without a digit, with a third decimal or with two commas', () => {
    expect(['', ',', '.', '7,555', '1,2,3', '1000'].map(parsePercent)).toEqual(Array(6).fill(null))
  })

  it('is shown as it can be typed', () => {
    for (const bps of [0, 5, 50, 725, 1_250, 10_000]) expect(parsePercent(formatPercent(bps))).toBe(bps)
  })
})
