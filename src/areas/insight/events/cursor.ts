import { malformed } from '../../../core/errors.ts'

/** The position of a reader: the last transaction and the last event of it. */
export type Position = { tx: string; id: string }

export const encodePosition = ({ tx, id }: Position): string =>
  Buffer.from(JSON.stringify([tx, id])).toString('base64url')

/** Reads a cursor of `order=oldest`. Throws 400 with param `cursor` for any other text. */
export function decodePosition(text: string): Position {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString())
    if (Array.isArray(value) && value.length === 2) {
      const [tx, id] = value as unknown[]
      const isKnown =
        typeof tx === 'string' &&
        /^\d{1,19}$/.test(tx) &&
        typeof id === 'string' &&
        /^(evt_[0-9A-Z]{26})?$/.test(id)
      if (isKnown && encodePosition({ tx, id }) === text) return { tx, id }
    }
  } catch {
    // Falls through to the refusal: every unreadable cursor is answered alike.
  }
  throw unknownPosition()
}

export const unknownPosition = () =>
  malformed('cursor', 'This cursor is not valid for order=oldest; start again without a cursor')
