import { malformed } from './errors.ts'
import { type IdKind, PREFIX } from './ids.ts'
import { parseInstant } from './time.ts'

/** Where a page ended: lists run newest first by (createdAt, id), and an id carries its creation time (B-list-1). */
export type Cursor = { createdAt: string; id: string }

export const encodeCursor = (row: Cursor): string =>
  Buffer.from(JSON.stringify([row.createdAt, row.id])).toString('base64url')

/** Reads a cursor of a list of such records; anything else, another list's too, is 400 with param `cursor`. */
export function decodeCursor(text: string, kind: IdKind): Cursor {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString())
    if (Array.isArray(value) && value.length === 2) {
      const [createdAt, id] = value as unknown[]
      const known =
        typeof createdAt === 'string' &&
        typeof id === 'string' &&
        /^[a-z]+_[0-9A-Z]{26}$/.test(id) &&
        id.startsWith(`${PREFIX[kind]}_`)
      if (known && parseInstant(createdAt) === createdAt && encodeCursor({ createdAt, id }) === text)
        return { createdAt, id }
    }
  } catch {
    // Falls through to the refusal: every unreadable cursor is answered alike.
  }
  throw malformed('cursor', 'This cursor was not issued by a list; start again without it')
}

export type Page<T> = { items: T[]; cursor: string | null; hasMore: boolean }

/** Makes a page of rows that were fetched with `limit + 1`. */
export const pageOf = <T extends Cursor>(rows: readonly T[], limit: number): Page<T> =>
  pageByKey(rows, limit, ({ createdAt, id }) => encodeCursor({ createdAt, id }))

/** The same for a list in another order: `cursorOf` names the last row of the page. */
export function pageByKey<T>(rows: readonly T[], limit: number, cursorOf: (row: T) => string): Page<T> {
  const items = rows.slice(0, limit)
  const last = items.at(-1)
  const hasMore = rows.length > limit
  return { items, hasMore, cursor: hasMore && last !== undefined ? cursorOf(last) : null }
}
