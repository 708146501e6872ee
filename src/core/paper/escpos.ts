import { assert } from '../assert.ts'
import type { CodePage } from '../printing.ts'
import { barcodeRaster, joined, type Raster } from './image.ts'
import { COLUMNS, linesOf, type PaperColumns, type PrintedLine } from './layout.ts'
import { FIRST_PAGES, glyphOf, isPlain, printable } from './printable.ts'
import { qrRaster } from './qr.ts'
import type { PaperRow } from './rows.ts'

/** The commands a receipt needs, by their names in Epson's reference; every other byte below 0x20 is a line feed. */
const LF = 0x0a
const RESET = [0x1b, 0x40] // ESC @
const ONE_BYTE_EACH = [0x1c, 0x2e] // FS . : printers made for China start out reading pairs of bytes
const FONT_A = [0x1b, 0x4d, 0] // ESC M: the font whose columns the layout counts
const page = (number: number) => [0x1b, 0x74, number] // ESC t
const align = (where: PrintedLine['align']) => [0x1b, 0x61, where === 'center' ? 1 : 0] // ESC a
const bold = (on: boolean) => [0x1b, 0x45, on ? 1 : 0] // ESC E
const size = (double: boolean) => [0x1d, 0x21, double ? 0x11 : 0] // GS !
const FEED_AND_CUT = [LF, LF, LF, LF, 0x1d, 0x56, 1] // GS V 1: past the blade first

/** ESC p: a pulse of 50 ms to the drawer, as all makers of drawers expect it. */
const DRAWER_KICK = [0x1b, 0x70, 0, 25, 250]

function printableRow(row: PaperRow, codePage: CodePage): PaperRow {
  switch (row.kind) {
    case 'rule':
    case 'cut':
    case 'image':
    case 'barcode':
    case 'qr':
      return row
    case 'pair':
      return { ...row, left: printable(row.left, codePage), right: printable(row.right, codePage) }
    case 'text':
    case 'banner':
      return { ...row, text: printable(row.text, codePage) }
  }
}

/** The bytes of a printable text, and the code page selected at its end. */
function textBytes(
  text: string,
  before: number | null,
  codePage: CodePage,
): { bytes: Uint8Array; selected: number | null } {
  if (isPlain(text))
    return { bytes: Uint8Array.from(text, (character) => character.charCodeAt(0)), selected: before }
  let selected = before
  const bytes = Array.from(text).flatMap((character) => {
    const glyph = glyphOf(character, codePage)
    assert(glyph !== null || isPlain(character), 'no printed text is a command')
    if (glyph === null) return [character.charCodeAt(0)]
    if (glyph.page === selected) return [glyph.byte]
    selected = glyph.page
    return [...page(glyph.page), glyph.byte]
  })
  return { bytes: Uint8Array.from(bytes), selected }
}

/** Rows of dots per strip, which fit in the memory of every printer. */
const STRIP = 96

/** GS v 0: prints dots unchanged, one strip at a time, each as wide as the paper. */
function imageBytes({ bytesAcross, rows, bits }: Raster): Uint8Array[] {
  return Array.from({ length: Math.ceil(rows / STRIP) }, (_, strip) => {
    const from = strip * STRIP
    const high = Math.min(STRIP, rows - from)
    const head = [0x1d, 0x76, 0x30, 0, bytesAcross, 0, high & 0xff, high >> 8]
    return joined([Uint8Array.from(head), bits.subarray(from * bytesAcross, (from + high) * bytesAcross)])
  })
}

/** The dots of a row; null if it has none. */
function dotsOf(row: PaperRow, columns: PaperColumns): Raster | null {
  if (row.kind === 'image') return row.dots
  const paper = columns === COLUMNS['58'] ? '58' : '80'
  if (row.kind === 'qr') return qrRaster(row.text, paper)
  return row.kind === 'barcode' ? barcodeRaster(row, paper) : null
}

/** Rows as ESC/POS bytes for a printer of `columns` characters. The bytes are complete and end with a cut. */
export function escposOf(
  rows: readonly PaperRow[],
  columns: PaperColumns,
  codePage: CodePage = 'WPC1252',
): Uint8Array {
  let selected = FIRST_PAGES[codePage]
  const first = selected === null ? [] : page(selected)
  const parts: Uint8Array[] = [Uint8Array.of(...RESET, ...ONE_BYTE_EACH, ...FONT_A, ...first)]
  const plainly = Uint8Array.of(...align('left'), ...bold(false), ...size(false))
  for (const row of rows) {
    if (row.kind === 'cut') {
      parts.push(plainly, Uint8Array.of(...FEED_AND_CUT))
      continue
    }
    const dots = dotsOf(row, columns)
    if (dots) parts.push(...imageBytes(dots))
    for (const line of linesOf([printableRow(row, codePage)], columns)) {
      const text = textBytes(line.text, selected, codePage)
      selected = text.selected
      parts.push(Uint8Array.of(...align(line.align), ...bold(line.bold), ...size(line.banner)))
      parts.push(text.bytes, Uint8Array.of(LF))
    }
  }
  parts.push(plainly, Uint8Array.of(...FEED_AND_CUT))
  return joined(parts)
}

/** The bytes that open the drawer at a printer; nothing is printed. */
export const drawerKick = (): Uint8Array => Uint8Array.of(...RESET, ...DRAWER_KICK)
