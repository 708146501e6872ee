import type { Raster } from './image.ts'

/** An image in the middle: where a page finds it, its size in points, and its dots for a printer that asked for them. */
export type Image = { kind: 'image'; url: string; width: number; height: number; dots: Raster | null }

/** What a paper says, before anyone decides how wide it is. Every text in it is printable as it stands. */
export type Row =
  | { kind: 'text'; text: string; align: 'left' | 'center'; bold: boolean }
  | { kind: 'pair'; left: string; right: string; bold: boolean; indent: number }
  | { kind: 'banner'; text: string }
  | { kind: 'rule' }
  | Image

export const RULE: Row = { kind: 'rule' }
export const centered = (text: string, bold = false): Row => ({ kind: 'text', text, align: 'center', bold })
export const left = (text: string): Row => ({ kind: 'text', text, align: 'left', bold: false })
export const pair = (label: string, right: string, { bold = false, indent = 0 } = {}): Row => ({
  kind: 'pair',
  left: label,
  right,
  bold,
  indent,
})
