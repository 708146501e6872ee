import { linesOf, type PaperColumns, widthOf } from '../../core/paper/layout.ts'
import type { PaperRow } from '../../core/paper/rows.ts'

/** Rows as plain text of at most `columns` columns per line: 32 on 58 mm paper, 48 on 80 mm. */
export const textOf = (rows: readonly PaperRow[], columns: PaperColumns): string =>
  linesOf(rows, columns)
    .map(({ text, align, banner }) => {
      const shown = banner ? `*** ${text} ***` : text
      const margin = align === 'center' ? Math.max(0, Math.floor((columns - widthOf(shown)) / 2)) : 0
      return `${' '.repeat(margin)}${shown}\n`
    })
    .join('')
