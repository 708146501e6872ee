import { Buffer } from 'node:buffer'
import { assert } from '../../core/assert.ts'
import { UsageError } from '../command.ts'

/** Size limit of one answer, so a long list does not fill the assistant's context. */
export const MOST_BYTES = 20_000
/** The part reserved for the cursor and field names. A cursor of the service has up to 4,000 bytes before encoding. */
const CURSOR_BYTES = 6_000
const MOST_ROWS = 50
const PAGE = 20
/** Names have at most 200 characters; notes and addresses may be longer. */
const MOST_TEXT = 500

export type ResultRow = Readonly<Record<string, unknown>>
/** Reads one kind of rows page by page. `cursor` is undefined for the first page. */
export type RowSource = (
  cursor: string | undefined,
  limit: number,
) => Promise<{ rows: ResultRow[]; next: string | null }>
export type Rows = { rows: ResultRow[]; cursor: string | null }

type PageCursor = { source: number; cursor?: string }

/**
 * Returns as many rows as fit, source by source, and the cursor of the next answer. A page that does not fit is fetched
 * again with a smaller limit, because only the service can issue the cursor after its last row. A row larger than a whole
 * answer is shortened. `beside` holds the other fields of the answer.
 */
export async function rowsOf(
  sources: readonly RowSource[],
  from: string | undefined,
  beside: ResultRow = {},
): Promise<Rows> {
  let place: PageCursor = from === undefined ? { source: 0 } : parseCursor(from, sources.length)
  const rows: ResultRow[] = []
  let left = MOST_BYTES - CURSOR_BYTES - bytesOf([beside])
  while (rows.length < MOST_ROWS) {
    const source = sources[place.source]
    if (!source) return { rows, cursor: null }
    const most = Math.min(PAGE, MOST_ROWS - rows.length)
    const page = await source(place.cursor, most)
    const fitting = fittingIn(page.rows, left)
    if (fitting === 0 && page.rows.length > 0 && rows.length > 0) break
    const isWhole = fitting === page.rows.length
    const taken = isWhole ? page : await source(place.cursor, Math.max(1, fitting))
    rows.push(...(fitting === 0 ? taken.rows.map((row) => shortened(row, left)) : taken.rows))
    left -= bytesOf(taken.rows)
    place = taken.next === null ? { source: place.source + 1 } : { source: place.source, cursor: taken.next }
    if (!isWhole) break
  }
  return { rows, cursor: place.source < sources.length ? tokenOf(place) : null }
}

const bytesOf = (rows: readonly ResultRow[]) => Buffer.byteLength(JSON.stringify(rows))

function fittingIn(rows: readonly ResultRow[], bytes: number): number {
  let used = 0
  const beyond = rows.findIndex((row) => {
    used += bytesOf([row])
    return used > bytes
  })
  return beyond === -1 ? rows.length : beyond
}

/** Limits for the texts and list lengths of a row that is too large. Ids and instants are shorter. */
const SHORTER = [
  { text: 160, items: 20 },
  { text: 80, items: 20 },
  { text: 40, items: 20 },
  { text: 40, items: 5 },
]

/** Shortens texts and lists until the row fits, and sets `truncated`, the name that events use too. */
function shortened(row: ResultRow, bytes: number): ResultRow {
  const found = SHORTER.map((most) => ({ ...(within(row, most) as ResultRow), truncated: true })).find(
    (candidate) => bytesOf([candidate]) <= bytes,
  )
  assert(found !== undefined, 'a row fits an answer once its texts are short')
  return found
}

function within(value: unknown, most: { text: number; items: number }): unknown {
  if (Array.isArray(value)) return value.slice(0, most.items).map((item) => within(item, most))
  if (typeof value !== 'object' || value === null) return cut(value, most.text)
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, within(field, most)]))
}

/** A source over rows already in memory. The cursor is the number of rows already returned. */
export const sourceFrom =
  (rows: readonly ResultRow[]): RowSource =>
  async (cursor, limit) => {
    const begin = Number(cursor ?? 0)
    const end = begin + limit
    return { rows: rows.slice(begin, end), next: end < rows.length ? String(end) : null }
  }

const tokenOf = (place: PageCursor) => Buffer.from(JSON.stringify(place)).toString('base64url')

function parseCursor(token: string, sources: number): PageCursor {
  try {
    const place = JSON.parse(Buffer.from(token, 'base64url').toString('utf8')) as Partial<PageCursor> | null
    const { source, cursor } = place ?? {}
    const isPlace = Number.isInteger(source) && Number(source) >= 0 && Number(source) < sources
    if (isPlace && (cursor === undefined || typeof cursor === 'string')) return place as PageCursor
  } catch {
    // Said below.
  }
  throw new UsageError('cursor must come from an earlier answer of this tool')
}

/** Picks the named fields and shortens long texts. No other field reaches the assistant. */
export const pick = (record: object, ...fields: readonly string[]): ResultRow =>
  Object.fromEntries(fields.map((field) => [field, cut((record as ResultRow)[field])]))

function cut(value: unknown, most = MOST_TEXT): unknown {
  if (typeof value !== 'string' || value.length <= most) return value
  const signs = [...value]
  return signs.length > most ? `${signs.slice(0, most).join('')}…` : value
}

/** Masks a phone number but for its last three digits, which tell two people apart. */
export const maskedPhone = (phone: string | null | undefined): string | null =>
  phone ? `•••${phone.slice(-3)}` : null

/** Masks an e-mail address but for its first letter and domain. */
export function maskedMail(mail: string | null | undefined): string | null {
  if (!mail) return null
  const [first = ''] = mail
  return `${first}•••${mail.slice(mail.lastIndexOf('@'))}`
}
