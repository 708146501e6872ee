import { createHash } from 'node:crypto'
import pg from 'pg'
import { assert } from '../../core/assert.ts'
import { depart, takesSeveral } from './flight.ts'
import { isStalePlan } from './pg-errors.ts'

/** As prepared statements are sent; one without a name is parsed and planned for this run alone. */
export type Sending = { name?: string | undefined; text: string; values: unknown[] }
type Client = pg.ClientBase

type Fields = { fields: { name: string }[] }
/** Parts of the driver that its types leave out. */
type Describing = pg.Query & { handleRowDescription(message: Fields): void }
type Wire = { parsedStatements: Record<string, string>; close(what: { type: 'S'; name: string }): void }

/**
 * Statements that one connection keeps prepared, least recently used first to go. The service has some hundred texts;
 * filters combine to more, and nobody may fill the server's memory by asking for all of them.
 */
const KEPT_PER_CONNECTION = 250
/** Texts remembered by this process; beyond them all are forgotten, which costs each one unprepared run. */
const KNOWN_TEXTS = 2_000
/** A longer text is a list of rows that will not come again. */
const LONGEST = 8_000
/** Reads alone: a plan for all values cannot tell which partial index `on conflict … where` means, and fails. */
const READS = /^\s*\(?select\b/i

/** The name of each text from its second run on, null after the first: what runs once is not worth a name. */
const known = new Map<string, string | null>()

/**
 * The name under which a text of the query builder is prepared: made of the text alone, so that all processes use the
 * same one. None for what is not a read, for long texts, and for the first run of any.
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

const kept = new WeakMap<Client, Set<string>>()

/** Connections whose statements go out without their names: a pooler would look for them on another one. */
const unprepared = new WeakSet<Client>()
export const sendUnprepared = (client: Client) => void unprepared.add(client)

/**
 * Notes that the connection runs this name, and closes the one that it has not run for longest when there are too
 * many.
 */
function keep(client: Client, name: string) {
  const names = kept.get(client) ?? new Set<string>()
  kept.set(client, names)
  names.delete(name)
  names.add(name)
  if (names.size <= KEPT_PER_CONNECTION) return
  const [oldest = ''] = names
  names.delete(oldest)
  const wire = (client as pg.Client).connection as unknown as Wire
  delete wire.parsedStatements[oldest]
  wire.close({ type: 'S', name: oldest })
}

/**
 * Part of every name. A migration that changes a column breaks the plans of running processes: then all names change.
 */
let epoch = 0
const current = (name: string) => (epoch === 0 ? name : `${name}@${epoch}`)

export type SendOptions = {
  /** A broken plan inside a transaction has ended it; outside of one the statement is simply sent again. */
  isInTransaction: boolean
  /** Renames the columns of the result as the driver reads their names, so that no row is walked for it. */
  rename?: ((column: string) => string) | undefined
  /** Asked when it leaves with others of its transaction; one that may not fails unsent. */
  mayGo?: (() => boolean) | undefined
}

/** Connections whose transaction has been told to end: a statement behind that would be written by itself. */
const ended = new WeakSet<Client>()

/** Begins or ends a transaction, in the order in which it is asked of its connection. */
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

/** Runs one statement, prepared on this connection when it has a name. */
export async function send<R extends pg.QueryResultRow>(
  client: Client,
  statement: Sending,
  options: SendOptions,
): Promise<pg.QueryResult<R>> {
  assert(!options.isInTransaction || !ended.has(client), 'a transaction that has ended takes no statement')
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

function sendOnce<R extends pg.QueryResultRow>(
  client: Client,
  { name, text, values }: Sending,
  { isInTransaction, rename, mayGo }: SendOptions,
): Promise<pg.QueryResult<R>> {
  const isNamed = name !== undefined && !unprepared.has(client)
  const config = isNamed ? { name: current(name), text, values } : { text, values }
  if ('name' in config && config.name !== undefined) keep(client, config.name)
  const travels = isInTransaction && takesSeveral(client)
  if (rename === undefined && !travels) return client.query<R>(config)
  return new Promise<pg.QueryResult<R>>((done, fail) => {
    const query = new pg.Query(config, (error: Error | undefined, result) =>
      error ? fail(error) : done(result as unknown as pg.QueryResult<R>),
    ) as Describing
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
    // The driver's own leads to the socket; this one to the caller.
    Error.captureStackTrace(error)
    throw error
  })
}
