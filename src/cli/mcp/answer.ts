import { Buffer } from 'node:buffer'
import { assert } from '../../core/assert.ts'
import { UsageError } from '../command.ts'

/** What one answer may weigh, so that a long list does not fill the memory of an assistant. */
export const MOST_BYTES = 20_000
/** What is kept of it for the cursor and for names; a cursor of the service has up to 4,000 bytes before it is encoded. */
const CURSOR_BYTES = 6_000
const MOST_ROWS = 50
const PAGE = 20
/** Names have 200 characters at most, notes and addresses more. */
const MOST_TEXT = 500

export type Row = Readonly<Record<string, unknown>>
/** One kind of rows of an answer, page by page; `cursor` is undefined at first. */
export type Source = (
  cursor: string | undefined,
  limit: number,
) => Promise<{ rows: Row[]; next: string | null }>
export type Rows = { rows: Row[]; cursor: string | null }

type Place = { source: number; cursor?: string }

/**
 * As many rows as fit, of one source after the other, and where the next answer goes on. A page that does not fit is asked
 * for again, smaller, because the place behind its last row is for the service to say. A row that alone is larger than an
 * answer comes cut short. `beside` is what else the answer holds.
 */
export async function rowsOf(
  sources: readonly Source[],
  from: string | undefined,
  beside: Row = {},
): Promise<Rows> {
  let place: Place = from === undefined ? { source: 0 } : placeOf(from, sources.length)
  const rows: Row[] = []
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

const bytesOf = (rows: readonly Row[]) => Buffer.byteLength(JSON.stringify(rows))

function fittingIn(rows: readonly Row[], bytes: number): number {
  let used = 0
  const beyond = rows.findIndex((row) => {
    used += bytesOf([row])
    return used > bytes
  })
  return beyond === -1 ? rows.length : beyond
}

/** Texts of a row that is too large, and how many there are of everything in it; ids and instants are shorter than that. */
const SHORTER = [
  { text: 160, items: 20 },
  { text: 80, items: 20 },
  { text: 40, items: 20 },
  { text: 40, items: 5 },
]

/** The row with its texts and lists cut as far as it takes, and `truncated`, the word that events have for it. */
function shortened(row: Row, bytes: number): Row {
  const found = SHORTER.map((most) => ({ ...(within(row, most) as Row), truncated: true })).find(
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

/** Rows that are in hand already; the cursor counts those that were answered. */
export const inHand =
  (rows: readonly Row[]): Source =>
  async (cursor, limit) => {
    const begin = Number(cursor ?? 0)
    const end = begin + limit
    return { rows: rows.slice(begin, end), next: end < rows.length ? String(end) : null }
  }

const tokenOf = (place: Place) => Buffer.from(JSON.stringify(place)).toString('base64url')

function placeOf(token: string, sources: number): Place {
  try {
    const place = JSON.parse(Buffer.from(token, 'base64url').toString('utf8')) as Partial<Place> | null
    const { source, cursor } = place ?? {}
    const isPlace = Number.isInteger(source) && Number(source) >= 0 && Number(source) < sources
    if (isPlace && (cursor === undefined || typeof cursor === 'string')) return place as Place
  } catch {
    // Said below.
  }
  throw new UsageError('cursor must be the cursor of an earlier answer of this tool')
}

/** The named fields of a record, long texts cut: nothing else of it reaches an assistant. */
export const pick = (record: object, ...fields: readonly string[]): Row =>
  Object.fromEntries(fields.map((field) => [field, cut((record as Row)[field])]))

function cut(value: unknown, most = MOST_TEXT): unknown {
  if (typeof value !== 'string' || value.length <= most) return value
  const signs = [...value]
  return signs.length > most ? `${signs.slice(0, most).join('')}…` : value
}

/** The last three digits, enough to tell two people apart. */
export const maskedPhone = (phone: string | null | undefined): string | null =>
  phone ? `•••${phone.slice(-3)}` : null

/** The first letter and the domain. */
export function maskedMail(mail: string | null | undefined): string | null {
  if (!mail) return null
  const [first = ''] = mail
  return `${first}•••${mail.slice(mail.lastIndexOf('@'))}`
}
