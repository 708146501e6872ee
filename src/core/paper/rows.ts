import type { Raster } from './image.ts'

/** A centred image: its URL for a page, its size in pixels, and its dots if a printer needs them. */
export type Image = { kind: 'image'; url: string; width: number; height: number; dots: Raster | null }

/** A barcode: the widths of its bars and spaces in modules, beginning with a bar. `text` is the code. */
export type Barcode = { text: string; bars: readonly number[] }

/** The content of a paper, independent of its width. Every text in it is printable unchanged. */
export type PaperRow =
  | { kind: 'text'; text: string; align: 'left' | 'center'; bold: boolean }
  | { kind: 'pair'; left: string; right: string; bold: boolean; indent: number }
  | { kind: 'banner'; text: string }
  | { kind: 'rule' }
  /** The blade cuts here; the rows after it are another paper of the same job. */
  | { kind: 'cut' }
  | ({ kind: 'barcode' } & Barcode)
  /** A QR code of a text. */
  | { kind: 'qr'; text: string }
  | Image

export const RULE: PaperRow = { kind: 'rule' }
export const CUT: PaperRow = { kind: 'cut' }
export const centered = (text: string, bold = false): PaperRow => ({
  kind: 'text',
  text,
  align: 'center',
  bold,
})
export const left = (text: string): PaperRow => ({ kind: 'text', text, align: 'left', bold: false })
export const pair = (label: string, right: string, { bold = false, indent = 0 } = {}): PaperRow => ({
  kind: 'pair',
  left: label,
  right,
  bold,
  indent,
})
