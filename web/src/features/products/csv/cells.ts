/** Reads and writes CSV as docs/catalogue-csv.md describes the file. Pure. */

const SEPARATORS = [',', ';', '\t'] as const

/** The text of a file. Throws a TypeError if it is not UTF-8. */
export const textOf = async (file: Blob): Promise<string> =>
  new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer())

/** The rows of a CSV text, empty ones too; the header decides the separator. Throws if a quote is never closed. */
export function readCsv(text: string): string[][] {
  const body = text.replace(/^\uFEFF/, '')
  const [header = ''] = body.split(/\r?\n/, 1)
  const count = (separator: string) => header.split(separator).length
  const separator = SEPARATORS.toSorted((a, b) => count(b) - count(a))[0] ?? ','
  const rows: string[][] = []
  let row: string[] = []
  let cell = ''
  let isQuoted = false
  for (let at = 0; at < body.length; at += 1) {
    const letter = body[at] ?? ''
    if (isQuoted) {
      if (letter !== '"') cell += letter
      else if (body[at + 1] === '"') {
        cell += '"'
        at += 1
      } else isQuoted = false
    } else if (letter === '"' && cell === '') isQuoted = true
    else if (letter === separator) {
      row.push(cell)
      cell = ''
    } else if (letter === '\n') {
      rows.push([...row, cell.replace(/\r$/, '')])
      row = []
      cell = ''
    } else cell += letter
  }
  if (isQuoted) throw new SyntaxError('a quote is never closed')
  if (cell !== '' || row.length > 0) rows.push([...row, cell])
  return rows
}

const written = (cell: string) => (/[",;\n\r\t]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)

/** A CSV text with a byte order mark, so that spreadsheets read it as UTF-8. */
export const writeCsv = (rows: readonly (readonly string[])[]): string =>
  `\uFEFF${rows.map((row) => row.map(written).join(',')).join('\r\n')}\r\n`
