import { malformed } from './errors.ts'
import { type IdKind, PREFIX } from './ids.ts'
import { parseInstant } from './time.ts'

/**
 * The position where a page ended: lists are newest first by (createdAt, id), and an id contains its creation time
 * (B-list-1).
 */
export type Cursor = { createdAt: string; id: string }

export const encodeCursor = (row: Cursor): string =>
  Buffer.from(JSON.stringify([row.createdAt, row.id])).toString('base64url')

/**
 * Reads a cursor of a list of these records. Throws 400 with param `cursor` for any other text, also for a cursor of
 * another list.
 */
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

/** Builds a page from rows that were fetched with `limit + 1`. */
export const pageOf = <T extends Cursor>(rows: readonly T[], limit: number): Page<T> =>
  pageByKey(rows, limit, ({ createdAt, id }) => encodeCursor({ createdAt, id }))

/** The same for a list in another order: `cursorOf` returns the cursor of the last row. */
export function pageByKey<T>(rows: readonly T[], limit: number, cursorOf: (row: T) => string): Page<T> {
  const items = rows.slice(0, limit)
  const last = items.at(-1)
  const hasMore = rows.length > limit
  return { items, hasMore, cursor: hasMore && last !== undefined ? cursorOf(last) : null }
}
