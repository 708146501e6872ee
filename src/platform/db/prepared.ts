import { createHash } from 'node:crypto'
import { tracingChannel } from 'node:diagnostics_channel'
import { LRUCache } from 'lru-cache'
import pg from 'pg'
import { assert } from '../../core/assert.ts'
import { depart, takesSeveral } from './flight.ts'
import { isStalePlan } from './pg-errors.ts'

/** The statement that is sent. Without a name, it is parsed and planned for this run alone. */
export type QueryMessage = { name?: string | undefined; text: string; values: unknown[] }
type Client = pg.ClientBase

type Fields = { fields: { name: string }[] }
/** Members of the driver that its types omit. */
type DescribedQuery = pg.Query & { handleRowDescription(message: Fields): void }
type Wire = { parsedStatements: Record<string, string>; close(what: { type: 'S'; name: string }): void }

/**
 * The most prepared statements of one connection; the least recently used is closed first. The service has a few
 * hundred texts, but filters combine to more, and clients must not be able to fill the server's memory.
 */
const KEPT_PER_CONNECTION = 250
/**
 * The most texts that this process remembers. Beyond it the cache is cleared, which costs each text one unprepared run.
 */
const KNOWN_TEXTS = 2_000
/** A longer text is a list of rows that will not come again. */
const LONGEST = 8_000
/** Only reads. A generic plan cannot match the partial index of `on conflict … where`, and fails. */
const READS = /^\s*\(?select\b/i

/** The name of each text from its second run on; null after the first, since most texts run only once. */
const known = new Map<string, string | null>()

/**
 * Returns the name under which a text of the query builder is prepared. It depends on the text alone, so all processes
 * use the same one. Undefined for writes, for long texts, and for the first run of a text.
 */
export function nameOf(text: string): string | undefined {
  const name = known.get(text)
  if (name) return name
  if (text.length > LONGEST || !READS.test(text)) return undefined
  if (name === undefined) {
    if (known.size >= KNOWN_TEXTS) known.clear()
    known.set(text, null)
    return undefined
  }
  const made = `q_${createHash('sha256').update(text).digest('hex').slice(0, 32)}`
  known.set(text, made)
  return made
}

const kept = new WeakMap<Client, LRUCache<string, true>>()
const createKept = (client: Client) =>
  new LRUCache<string, true>({
    max: KEPT_PER_CONNECTION,
    dispose(_, evicted) {
      const wire = (client as pg.Client).connection as unknown as Wire
      delete wire.parsedStatements[evicted]
      wire.close({ type: 'S', name: evicted })
    },
  })

/** Connections that send statements without names: a pooler may execute them on a connection that lacks the name. */
const unprepared = new WeakSet<Client>()
export const sendUnprepared = (client: Client) => void unprepared.add(client)

/** Records that the connection uses this name, and closes the least recently used one beyond the limit. */
function markPrepared(client: Client, name: string) {
  const names = kept.get(client) ?? createKept(client)
  kept.set(client, names)
  names.set(name, true)
}

/**
 * Suffix of every name. A migration that changes a column breaks the cached plans of running processes; a new epoch
 * renames all statements.
 */
let epoch = 0
const current = (name: string) => (epoch === 0 ? name : `${name}@${epoch}`)

export type SendOptions = {
  /** A stale plan aborts a transaction; outside of one the statement is simply sent again. */
  isInTransaction: boolean
  /** Renames the result columns while the driver reads their description, so that rows need no conversion. */
  rename?: ((column: string) => string) | undefined
  /**
   * Called just before the statement is sent with others of its transaction. If it returns false, the statement fails
   * unsent.
   */
  mayGo?: (() => boolean) | undefined
}

/** Connections that were sent COMMIT or ROLLBACK: a later statement would commit by itself. */
const ended = new WeakSet<Client>()

/** Begins or ends a transaction. Calls take effect in order on their connection. */
export function control(
  client: Client,
  text: 'begin' | 'commit' | 'rollback',
  mayGo?: () => boolean,
): Promise<pg.QueryResult> {
  ended.delete(client)
  const sent = takesSeveral(client)
    ? send(client, { name: `tx_${text}`, text, values: [] }, { isInTransaction: true, mayGo })
    : client.query(text)
  if (text !== 'begin') ended.add(client)
  return sent
}

/** A statement as `STATEMENTS` announces it: its text has parameters instead of values. */
export type StatementNotice = { name: string | undefined; text: string }
/** Announces the sending of every statement, and its answer. */
export const STATEMENTS = tracingChannel<'kasir.statement', StatementNotice>('kasir.statement')

/** Runs one statement, prepared on this connection if it has a name. */
export async function send<R extends pg.QueryResultRow>(
  client: Client,
  statement: QueryMessage,
  options: SendOptions,
): Promise<pg.QueryResult<R>> {
  assert(
    !options.isInTransaction || !ended.has(client),
    'no statement is sent after the end of its transaction',
  )
  const begun = epoch
  try {
    return await sendOnce<R>(client, statement, options)
  } catch (error) {
    if (!isStalePlan(error)) throw error
    if (epoch === begun) epoch += 1
    if (options.isInTransaction) throw error
    return sendOnce<R>(client, statement, options)
  }
}

const sendOnce = <R extends pg.QueryResultRow>(
  client: Client,
  statement: QueryMessage,
  options: SendOptions,
): Promise<pg.QueryResult<R>> =>
  STATEMENTS.hasSubscribers
    ? STATEMENTS.tracePromise(() => sendNow<R>(client, statement, options), {
        name: statement.name,
        text: statement.text,
      })
    : sendNow<R>(client, statement, options)

function sendNow<R extends pg.QueryResultRow>(
  client: Client,
  { name, text, values }: QueryMessage,
  { isInTransaction, rename, mayGo }: SendOptions,
): Promise<pg.QueryResult<R>> {
  const isNamed = name !== undefined && !unprepared.has(client)
  const config = isNamed ? { name: current(name), text, values } : { text, values }
  if ('name' in config && config.name !== undefined) markPrepared(client, config.name)
  const travels = isInTransaction && takesSeveral(client)
  if (rename === undefined && !travels) return client.query<R>(config)
  return new Promise<pg.QueryResult<R>>((done, fail) => {
    const query = new pg.Query(config, (error: Error | undefined, result) =>
      error ? fail(error) : done(result as unknown as pg.QueryResult<R>),
    ) as DescribedQuery
    if (rename !== undefined) {
      const describe = query.handleRowDescription
      query.handleRowDescription = (message) => {
        for (const field of message.fields) field.name = rename(field.name)
        describe.call(query, message)
      }
    }
    if (travels) depart(client, query, mayGo)
    else client.query(query)
  }).catch((error: Error) => {
    // Replaces the driver's stack, which starts at the socket, with the caller's.
    Error.captureStackTrace(error)
    throw error
  })
}
