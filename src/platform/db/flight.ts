import pg from 'pg'

/** Members of the driver that its types omit. */
type Wire = {
  stream: { cork(): void; uncork(): void; write(bytes: Uint8Array): unknown }
  parsedStatements: Record<string, string>
  submittedNamedStatements: Record<string, string>
  close(what: { type: 'S'; name: string }): void
  sync(): void
}
type Part = pg.Query & {
  name: string | undefined
  text: string
  hasBeenParsed(wire: Wire): boolean
  prepare(wire: Wire): void
  handleRowDescription(message: unknown): void
  handleDataRow(message: unknown): void
  handleCommandComplete(message: unknown, wire: Wire): void
  handleError(error: Error, wire: Wire): void
  handleReadyForQuery(wire: Wire): void
}

/**
 * Statements of one transaction sent as one batch, with one Sync at the end: the server answers all of them together.
 * After a failed statement it skips the rest, so COMMIT may be the last of them.
 */
class Flight extends pg.Query {
  readonly parts: readonly Part[]
  readonly #unparsed: { name: string; text: string }[] = []
  #landed = 0

  constructor(parts: readonly pg.Query[]) {
    super({ text: '' })
    this.parts = parts as readonly Part[]
  }

  /** Sends all statements, or none if a value cannot be encoded. */
  override submit = (connection: pg.Connection): void => {
    const wire = connection as unknown as Wire
    const sent: Uint8Array[] = []
    let unwritable: Error | undefined
    const recorder: Wire = Object.assign(Object.create(wire) as Wire, {
      stream: { writable: true, write: (bytes: Uint8Array) => sent.push(bytes) },
      sync: () => {},
      close: () => {},
    })
    for (const part of this.parts) {
      const { name, text } = part
      if (name !== undefined && !part.hasBeenParsed(wire)) this.#unparsed.push({ name, text })
      part.handleError = (error) => {
        unwritable ??= error
      }
      part.prepare(recorder)
      Reflect.deleteProperty(part, 'handleError')
    }
    // The driver passes a returned error to `handleError`.
    if (unwritable) return unwritable as unknown as void
    wire.stream.cork()
    for (const bytes of sent) wire.stream.write(bytes)
    wire.sync()
    wire.stream.uncork()
  }

  handleRowDescription(message: unknown) {
    this.parts[this.#landed]?.handleRowDescription(message)
  }

  handleDataRow(message: unknown) {
    this.parts[this.#landed]?.handleDataRow(message)
  }

  handleCommandComplete(message: unknown, wire: Wire) {
    this.parts[this.#landed]?.handleCommandComplete(message, wire)
    this.#landed += 1
  }

  handleReadyForQuery(wire: Wire) {
    for (const { name, text } of this.#unparsed) {
      delete wire.submittedNamedStatements[name]
      wire.parsedStatements[name] = text
    }
    for (const part of this.parts) part.handleReadyForQuery(wire)
    this.emit('end')
  }

  /** Completed statements keep their result; the failed one and the rest get the error. */
  handleError(error: Error, wire: Wire) {
    for (const { name } of this.#unparsed) {
      delete wire.submittedNamedStatements[name]
      wire.close({ type: 'S', name })
    }
    for (const [at, part] of this.parts.entries()) {
      if (at < this.#landed) part.handleReadyForQuery(wire)
      else part.handleError(error, wire)
    }
  }
}

type TypedQuery = Part & { _result: { _types: unknown } }
type Client = pg.ClientBase & { pipeline?: boolean; _types?: unknown; connection: Wire }
type FlightQuery = { query: pg.Query; mayGo(): boolean }

const boarding = new WeakMap<pg.ClientBase, FlightQuery[]>()

/** Whether a connection accepts several statements before it has answered the first. */
export const takesSeveral = (client: pg.ClientBase): boolean => (client as Client).pipeline === true

/**
 * Sends a statement of a transaction on such a connection. All statements of one turn of the event loop are sent
 * together. `mayGo` is called just before; if it returns false, the statement fails unsent.
 */
export function depart(client: pg.ClientBase, query: pg.Query, mayGo = () => true) {
  const open = boarding.get(client)
  if (open) return void open.push({ query, mayGo })
  boarding.set(client, [{ query, mayGo }])
  process.nextTick(leave, client)
}

function leave(client: Client) {
  const all = boarding.get(client) ?? []
  boarding.delete(client)
  const going = all.filter(({ mayGo }) => mayGo()).map(({ query }) => query)
  // The driver does the same for each query that it is given.
  for (const { _result } of going as TypedQuery[]) _result._types = client._types
  const [first] = going
  if (first) client.query(going.length === 1 ? first : new Flight(going))
  for (const { query } of all) {
    if (!going.includes(query))
      (query as Part).handleError(
        new Error('The statement was not sent: another one of its transaction failed'),
        client.connection,
      )
  }
}
