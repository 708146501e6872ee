import { TextDecoder } from 'node:util'
import { type CsvError, parse } from 'csv-parse'
import { invalid } from '../../../../core/errors.ts'
import { unguarded } from '../../../../core/spreadsheet.ts'
import { type Cells, COLUMNS, type CsvColumn } from './columns.ts'

/** One row, numbered as in a spreadsheet: the header is row 1. */
export type CsvRow = { row: number; cells: Cells; problem?: string }

const DELIMITERS = [',', ';', '\t'] as const

/**
 * Reads a catalogue row by row. The file is UTF-8, with or without a byte order mark. The header shows whether
 * commas, semicolons or tabs separate the cells. Throws 422 with param `file` for any other file.
 */
export async function* readRows(source: AsyncIterable<Uint8Array>): AsyncGenerator<CsvRow> {
  const texts = decoded(source)
  const first = await texts.next()
  const head = first.done ? '' : first.value
  const parser = parse({ delimiter: delimiterOf(head), relax_column_count: true, max_record_size: 100_000 })
  const fed = feed(parser, head, texts)
  let header: CsvColumn[] | null = null
  let row = 0
  try {
    for await (const record of parser as AsyncIterable<string[]>) {
      row += 1
      if (header === null) header = headerOf(record)
      else if (record.some((cell) => cell.trim() !== '')) yield rowOf(header, record, row)
    }
    await fed
  } catch (error) {
    throw broken(error, row + 1)
  }
  if (header === null) throw invalid('file', 'The file is empty; its first row must name the columns')
}

function broken(error: unknown, row: number): unknown {
  const isCsv =
    typeof (error as CsvError | null)?.code === 'string' && (error as CsvError).code.startsWith('CSV_')
  return isCsv ? invalid('file', `Row ${row} is not valid CSV: ${(error as Error).message}`) : error
}

/** Writes text to the parser and waits while its buffer is full. */
async function feed(parser: ReturnType<typeof parse>, head: string, rest: AsyncIterable<string>) {
  try {
    parser.write(head)
    for await (const piece of rest) {
      if (!parser.write(piece)) await new Promise<void>((resume) => parser.once('drain', resume))
    }
    parser.end()
  } catch (error) {
    parser.destroy(error as Error)
  }
}

async function* decoded(source: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let begun = ''
  let started = false
  for await (const bytes of source) {
    const text = decode(decoder, bytes)
    if (started) yield text
    else {
      // The first piece contains the whole header, however the source splits its bytes.
      begun += text
      if (!begun.includes('\n')) continue
      started = true
      yield begun
    }
  }
  const last = decode(decoder)
  if (!started) yield begun + last
  else if (last !== '') yield last
}

function decode(decoder: TextDecoder, bytes?: Uint8Array): string {
  try {
    return bytes ? decoder.decode(bytes, { stream: true }) : decoder.decode()
  } catch {
    throw invalid('file', 'The file is not UTF-8; save it as "CSV UTF-8"')
  }
}

const delimiterOf = (head: string): string => {
  const header = head.split(/\r?\n/, 1)[0] ?? ''
  const count = (delimiter: string) => header.split(delimiter).length
  return DELIMITERS.reduce((best, delimiter) => (count(delimiter) > count(best) ? delimiter : best))
}

function headerOf(record: readonly string[]): CsvColumn[] {
  const names = record.map((name) => name.trim().toLowerCase())
  const unknown = names.find((name) => !(COLUMNS as readonly string[]).includes(name))
  if (unknown !== undefined) {
    throw invalid('file', `"${unknown}" is not a catalogue column; the columns are ${COLUMNS.join(', ')}`)
  }
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) throw invalid('file', `The column ${twice} appears in the header twice`)
  if (!names.includes('product')) throw invalid('file', 'The file needs a column named product')
  return names as CsvColumn[]
}

function rowOf(header: readonly CsvColumn[], record: readonly string[], row: number): CsvRow {
  const cells: Cells = {}
  header.forEach((column, index) => {
    cells[column] = unguarded((record[index] ?? '').trim())
  })
  const beyond = record.slice(header.length).some((cell) => cell.trim() !== '')
  return beyond ? { row, cells, problem: 'The row has more cells than the header' } : { row, cells }
}
