import { TextDecoder } from 'node:util'
import { type CsvError, parse } from 'csv-parse'
import type { CsvColumn } from '../../../../core/catalogue-file/columns.ts'
import { type CsvRow, readHeader, readRow } from '../../../../core/catalogue-file/groups.ts'
import { invalid } from '../../../../core/errors.ts'
import { HEADER_SENTENCES } from './sentences.ts'

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
      else if (record.some((cell) => cell.trim() !== '')) yield readRow(header, record, row)
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
  const header = readHeader(record)
  if (!('problem' in header)) return header
  throw invalid('file', HEADER_SENTENCES[header.problem](header.column))
}
