import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { type Page, pageByKey } from '../../core/cursor.ts'
import { malformed } from '../../core/errors.ts'
import { payloadOf } from './envelope.ts'
import { isStorable } from './validate.ts'

/**
 * Lists that are sent whole (B-list-2): `portions` yields the rows in order, some hundreds at a time, each read after
 * the client has received the one before. With `limit` or `cursor` the same list is sent as a page.
 */
export type ListResult<Row> = ({ portions: AsyncIterable<readonly Row[]> } | Page<Row>) & {
  /** The fields beside the list, known after the first portion is read. */
  beside?: () => Record<string, unknown>
}

export type Key = readonly (string | null)[]
/** Where a portion starts (after the row with this key) and its maximum number of rows. */
export type Span = { after: Key | null; limit: number }

export type Keyset<Row> = {
  /** Prefix of this list's cursors, so that no other list accepts them. */
  name: string
  /** The unique sort key of a row; its last part is the id. */
  keyOf(row: Row): Key
  /** Whether a key decoded from a cursor has the parts that `keyOf` returns. */
  isKey(key: Key): boolean
  read(span: Span): Promise<Row[]>
  /** Whether `read` left out the content of a row, because the rows before it are large: the next portion begins with it. */
  isLeftOut?(row: Row): boolean
  /** Rows of a portion: some hundred kilobytes of JSON. */
  portion?: number
}

/** Checks that a key consists of this many texts. */
export const texts =
  (count: number) =>
  (key: Key): boolean =>
    key.length === count && !key.includes(null)

const PORTION = 1_000
const PAGE = 20

/** Reads the requested list: whole, or one page. Throws 400 with param `cursor` for an invalid cursor. */
export async function listed<Row>(
  { limit, cursor }: { limit?: number; cursor?: string },
  keyset: Keyset<Row>,
): Promise<ListResult<Row>> {
  if (limit === undefined && cursor === undefined) return { portions: portionsOf(keyset) }
  const { name, keyOf, isKey, read, isLeftOut = () => false } = keyset
  const size = limit ?? PAGE
  const after = cursor === undefined ? null : keyIn(cursor, name, isKey)
  const rows = await read({ after, limit: size + 1 })
  const end = rows.findIndex(isLeftOut)
  return pageByKey(rows, end === -1 ? size : Math.min(end, size), (row) => encode([name, ...keyOf(row)]))
}

/** No connection or transaction is held between two portions, so none waits for a slow client. */
export async function* portionsOf<Row>({
  read,
  keyOf,
  isLeftOut = () => false,
  portion = PORTION,
}: Pick<Keyset<Row>, 'read' | 'keyOf' | 'isLeftOut' | 'portion'>): AsyncIterable<Row[]> {
  let after: Key | null = null
  for (;;) {
    const rows: Row[] = await read({ after, limit: portion })
    const end = rows.findIndex(isLeftOut)
    const taken = end === -1 ? rows : rows.slice(0, end)
    yield taken
    const last = taken.at(-1)
    if ((end === -1 && rows.length < portion) || last === undefined) return
    after = keyOf(last)
  }
}

const encode = (parts: Key) => Buffer.from(JSON.stringify(parts)).toString('base64url')

function keyIn(cursor: string, name: string, isKey: (key: Key) => boolean): Key {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    if (Array.isArray(parts) && parts[0] === name && encode(parts as Key) === cursor) {
      const key = parts.slice(1) as unknown[]
      const isText = key.every((part) => part === null || (typeof part === 'string' && isStorable(part)))
      if (isText && isKey(key as Key)) return key as Key
    }
  } catch {
    // Falls through to the refusal: every unreadable cursor is answered alike.
  }
  throw malformed('cursor', 'This cursor was not issued by this list; start again without it')
}

/** A client that reads nothing for this long is disconnected. */
const STALLED_MS = 60_000

/**
 * Sends a whole list. A list of one portion is sent as one text. A longer one is streamed at the client's pace, so it
 * is never entirely in memory, and other requests are served between two portions.
 */
export async function sendWhole(
  reply: FastifyReply,
  portions: AsyncIterable<readonly unknown[]>,
  frameOf: () => { head: string; tail: string },
  onCut: (error: unknown) => void,
): Promise<unknown> {
  const source = portions[Symbol.asyncIterator]()
  const first = await source.next()
  const second = first.done ? first : await source.next()
  const text = first.done ? '' : rowsText(first.value)
  const frame = frameOf()
  if (second.done) return reply.send(payloadOf(`${frame.head}${text}${frame.tail}`))
  const rest = second.value
  async function* chunks() {
    try {
      yield `${frame.head}${text}`
      for (let rows: readonly unknown[] | undefined = rest; rows !== undefined; ) {
        if (rows.length > 0) yield `,${rowsText(rows)}`
        const next = await source.next()
        rows = next.done ? undefined : next.value
      }
      yield frame.tail
    } catch (error) {
      // The status is already sent, so the only signal left is an incomplete response.
      onCut(error)
      throw new Error('the list was cut off', { cause: error })
    } finally {
      await source.return?.()
    }
  }
  return sendChunks(reply, chunks())
}

/** Streams texts at the pace of the client. A client that reads nothing for a minute is disconnected. */
export function sendChunks(reply: FastifyReply, chunks: AsyncIterable<string>) {
  const { socket } = reply.raw
  const disconnect = () => socket?.destroy()
  socket?.setTimeout(STALLED_MS, disconnect)
  const stream = Readable.from(chunks, { objectMode: false, highWaterMark: 64 * 1024 })
  stream.once('close', () => socket?.setTimeout(0).off('timeout', disconnect))
  return reply.send(stream)
}

const rowsText = (rows: readonly unknown[]) => JSON.stringify(rows).slice(1, -1)
