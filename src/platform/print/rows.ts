/** What a paper says, before anyone decides how wide it is. Every text in it is printable as it stands. */
export type Row =
  | { kind: 'text'; text: string; align: 'left' | 'center'; bold: boolean }
  | { kind: 'pair'; left: string; right: string; bold: boolean; indent: number }
  | { kind: 'banner'; text: string }
  | { kind: 'rule' }

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
