import CodepageEncoder from '@point-of-sale/codepage-encoder'

export type PrintedLine = { text: string; align: 'left' | 'center'; bold: boolean; double: boolean }

const PAGES = { 16: 'windows1252', 17: 'cp866', 18: 'cp852' } as const

/**
 * Reads ESC/POS bytes as a printer does and answers the lines it would print; throws at a command that no receipt has
 * a use for (a drawer pulse, a barcode, a setting) and at a byte that is neither text nor part of a known command.
 */
export function printedBy(bytes: Uint8Array): {
  lines: PrintedLine[]
  cuts: number
  /** Strips of dots, each so many bytes across. */
  images: { across: number; bits: Buffer }[]
} {
  const lines: PrintedLine[] = []
  const state = { page: 0, align: 0, bold: 0, size: 0 }
  const images: { across: number; bits: Buffer }[] = []
  let text = ''
  let cuts = 0
  const hex = (from: number) => Buffer.from(bytes.subarray(from, from + 3)).toString('hex')
  for (let at = 0; at < bytes.length; at += 1) {
    const [byte = 0, command = 0, value = 0] = bytes.subarray(at, at + 3)
    if (byte === 0x0a) {
      const align = state.align === 1 ? 'center' : 'left'
      lines.push({ text, align, bold: state.bold === 1, double: state.size === 0x11 })
      text = ''
    } else if (byte === 0x1b && command === 0x40) {
      Object.assign(state, { page: 0, align: 0, bold: 0, size: 0 })
      at += 1
    } else if (byte === 0x1c && command === 0x2e) {
      at += 1
    } else if (byte === 0x1b && command === 0x4d && value === 0) {
      at += 2
    } else if (byte === 0x1b && command === 0x74 && value in PAGES) {
      state.page = value
      at += 2
    } else if (byte === 0x1b && command === 0x61 && value <= 1) {
      state.align = value
      at += 2
    } else if (byte === 0x1b && command === 0x45 && value <= 1) {
      state.bold = value
      at += 2
    } else if (byte === 0x1d && command === 0x21 && (value === 0 || value === 0x11)) {
      state.size = value
      at += 2
    } else if (byte === 0x1d && command === 0x76 && value === 0x30 && bytes[at + 3] === 0) {
      const [across = 0, acrossHigh = 0, high = 0, highHigh = 0] = bytes.subarray(at + 4, at + 8)
      const length = (across + 256 * acrossHigh) * (high + 256 * highHigh)
      images.push({ across, bits: Buffer.from(bytes.subarray(at + 8, at + 8 + length)) })
      at += 7 + length
    } else if (byte === 0x1d && command === 0x56 && value === 1) {
      cuts += 1
      at += 2
    } else if (byte < 0x20 || byte === 0x7f) {
      throw new Error(`at ${at}: ${hex(at)} is no command of a receipt`)
    } else {
      text += characterOf(state.page, byte)
    }
  }
  if (text !== '') throw new Error('text after the last line feed')
  return { lines, cuts, images }
}

const CODE_POINTS = new Map<number, number[]>(
  Object.entries(PAGES).map(([page, name]) => [Number(page), CodepageEncoder.getEncoding(name).codepoints]),
)

function characterOf(page: number, byte: number): string {
  if (byte < 0x80) return String.fromCharCode(byte)
  const codePoint = CODE_POINTS.get(page)?.[byte]
  if (codePoint === undefined || codePoint === 0xfffd) throw new Error(`page ${page} has nothing at ${byte}`)
  return String.fromCodePoint(codePoint)
}
