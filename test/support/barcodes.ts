// Reads barcodes by the tables of the standards, which the service does not use: it encodes with a library.

/** Digits of EAN-13, EAN-8 and UPC-A: widths of odd parity, from ISO/IEC 15420. Even parity is the same from the right. */
const ODD = ['3211', '2221', '2122', '1411', '1132', '1231', '1114', '1312', '1213', '3112']
const EVEN = ODD.map((widths) => [...widths].reverse().join(''))
/** Parities of the left half by the first digit of EAN-13; 1 is even. */
const FIRST = [
  '000000',
  '001011',
  '001101',
  '001110',
  '010011',
  '011001',
  '011100',
  '010101',
  '010110',
  '011010',
]

/** Symbols of Code 128 in order of their values, from ISO/IEC 15417. */
const SYMBOLS =
  `212222 222122 222221 121223 121322 131222 122213 122312 132212 221213 221312 231212 112232 122132 122231 113222
123122 123221 223211 221132 221231 213212 223112 312131 311222 321122 321221 312212 322112 322211 212123 212321 232121 111323
131123 131321 112313 132113 132311 211313 231113 231311 112133 112331 132131 113123 113321 133121 313121 211331 231131 213113
213311 213131 311123 311321 331121 312113 312311 332111 314111 221411 431111 111224 111422 121124 121421 141122 141221 112214
112412 122114 122411 142112 142211 241211 221114 413111 241112 134111 111242 121142 121241 114212 124112 124211 411212 421112
421211 212141 214121 412121 111143 111341 131141 114113 114311 411113 411311 113141 114131 311141 411131 211412 211214 211232`.split(
    /\s+/,
  )

/** Four widths for each digit, without the three guards. */
function digitsOf(widths: string, perSide: number): { digits: string; parities: string } | null {
  const left = widths.slice(3, 3 + 4 * perSide)
  const right = widths.slice(8 + 4 * perSide, 8 + 8 * perSide)
  const found = (left + right)
    .match(/.{4}/g)
    ?.map((four) => ({ odd: ODD.indexOf(four), even: EVEN.indexOf(four) }))
  if (!found || found.some(({ odd, even }) => odd < 0 && even < 0)) return null
  return {
    digits: found.map(({ odd, even }) => (odd < 0 ? even : odd)).join(''),
    parities: found
      .slice(0, perSide)
      .map(({ odd }) => (odd < 0 ? '1' : '0'))
      .join(''),
  }
}

function code128(widths: string): string | null {
  const values = (widths.slice(0, -7).match(/.{6}/g) ?? []).map((six) => SYMBOLS.indexOf(six))
  const check = values.at(-1) ?? -1
  const data = values.slice(0, -1)
  const sum = data.reduce((total, value, at) => total + value * Math.max(1, at), 0)
  if (widths.slice(-7) !== '2331112' || values.includes(-1) || sum % 103 !== check) return null
  let set = 'ABC'[(data[0] ?? 0) - 103]
  return data
    .slice(1)
    .map((value) => {
      const next = ({ 99: 'C', 100: 'B', 101: 'A' } as Record<number, string>)[value]
      if (next !== undefined && !(set === 'C' && value === 99)) {
        set = next
        return ''
      }
      if (set === 'C') return String(value).padStart(2, '0')
      return String.fromCharCode(value + 32)
    })
    .join('')
}

/** The text of a barcode from the widths of its bars and spaces in any unit, beginning with a bar; null if it is none. */
export function textOfBars(runs: readonly number[]): string | null {
  const unit = Math.min(...runs)
  const widths = runs.map((run) => Math.round(run / unit)).join('')
  if (widths.length === 43) return digitsOf(widths, 4)?.digits ?? null
  if (widths.length !== 59) return code128(widths)
  const read = digitsOf(widths, 6)
  const first = FIRST.indexOf(read?.parities ?? '')
  // A first digit of 0 is UPC-A, which scanners report with 12 digits.
  return read && first >= 0 ? `${first === 0 ? '' : first}${read.digits}` : null
}

/** Widths of bars and spaces from bars as they lie, each with its left edge and its width. */
export const runsOf = (bars: readonly (readonly [x: number, width: number])[]): number[] =>
  bars.flatMap(([x, width], index) => {
    const next = bars[index + 1]?.[0]
    return next === undefined ? [width] : [width, next - x - width]
  })

/** The widths of the bars in each picture of ESC/POS bytes (GS v 0), in dots, from its first row. */
export function runsOfPictures(bytes: Buffer): { dots: number; runs: number[] }[] {
  const found = []
  for (
    let at = bytes.indexOf('\x1dv0\0', 0, 'latin1');
    at >= 0;
    at = bytes.indexOf('\x1dv0\0', at + 4, 'latin1')
  ) {
    const across = bytes.readUInt16LE(at + 4)
    const row = [...bytes.subarray(at + 8, at + 8 + across)]
      .map((byte) => byte.toString(2).padStart(8, '0'))
      .join('')
    const runs = row.replace(/^0+|0+$/g, '').match(/1+|0+/g) ?? []
    found.push({ dots: across * 8, runs: runs.map(({ length }) => length) })
  }
  return found
}

/** The label of a scale: prefix, item, grams or rupiah, and the check digit of an EAN-13. */
export function scaleLabel(prefix: string, item: string, value: number): string {
  const digits = `${prefix}${item}${String(value).padStart(5, '0')}`
  const odd = [...digits].map((digit, n) => Number(digit) * (n % 2 === 0 ? 1 : 3))
  return `${digits}${(10 - (odd.reduce((a, b) => a + b, 0) % 10)) % 10}`
}
