import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { stringify } from 'csv-stringify'
import type { FastifyReply } from 'fastify'
import { guarded } from 'kasir/partner-tools'

const PORTION = 500

export type Column<Row> = readonly [header: string, cell: (row: Row) => string | number | null]

/** Rows of a list in portions, each read when the reader has taken the one before. */
async function* portions<Row extends { id: string }>(
  read: (after: string | null, limit: number) => Promise<Row[]>,
) {
  let after: string | null = null
  for (;;) {
    const rows: Row[] = await read(after, PORTION)
    yield* rows
    const last = rows.at(-1)
    if (rows.length < PORTION || last === undefined) return
    after = last.id
  }
}

/** Answers with a CSV file (RFC 4180, UTF-8): a header row, then the list; no cell is one that a spreadsheet runs. */
export function sendCsv<Row extends { id: string }>(
  reply: FastifyReply,
  {
    name,
    columns,
    read,
  }: {
    name: string
    columns: readonly Column<Row>[]
    read(after: string | null, limit: number): Promise<Row[]>
  },
) {
  async function* lines() {
    yield columns.map(([header]) => header)
    for await (const row of portions(read)) {
      yield columns.map(([, cell]) => {
        const value = cell(row)
        return typeof value === 'string' ? guarded(value) : value
      })
    }
  }
  const file = stringify({ record_delimiter: 'windows' })
  // If either stream fails or closes, the other ends too. An error cuts off the reply, which has already begun.
  pipeline(Readable.from(lines()), file).catch(() => {})
  return reply
    .type('text/csv; charset=utf-8')
    .header('content-disposition', `attachment; filename="${name}.csv"`)
    .send(file)
}
