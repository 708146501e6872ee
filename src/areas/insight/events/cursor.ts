import { malformed } from '../../../core/errors.ts'

/** The position of a reader: the last transaction and the last event of it. */
export type Position = { tx: string; id: string }
/** `cluster` is the database server that issued `tx`; null in a cursor from before cursors named it. */
export type EventCursor = Position & { cluster: string | null }

export const encodePosition = ({ tx, id, cluster }: EventCursor): string =>
  Buffer.from(JSON.stringify(cluster === null ? [tx, id] : [tx, id, cluster])).toString('base64url')

/** Reads a cursor of `order=oldest`. Throws 400 with param `cursor` for any other text. */
export function decodePosition(text: string): EventCursor {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString())
    if (Array.isArray(value)) {
      const [tx, id, cluster = null] = value as unknown[]
      const isKnown =
        isNumber(tx) &&
        typeof id === 'string' &&
        /^(evt_[0-9A-Z]{26})?$/.test(id) &&
        (cluster === null || isNumber(cluster))
      // Also refuses any other element: it would be missing in the text.
      if (isKnown && encodePosition({ tx, id, cluster }) === text) return { tx, id, cluster }
    }
  } catch {
    // Falls through to the refusal: every unreadable cursor is answered alike.
  }
  throw unknownPosition()
}

const isNumber = (value: unknown): value is string => typeof value === 'string' && /^\d{1,20}$/.test(value)

export const unknownPosition = () =>
  malformed('cursor', 'This cursor is not valid for order=oldest; start again without a cursor')
