import { type CallOptions, type Connection, connect, isKasirError, type Operation } from 'kasir-client'
import { noteServerTime } from '../offline/clock.ts'
import { useSession } from './session.ts'

/** A cashier waits no longer than this for one answer. */
const TIMEOUT_MS = 15_000

const fetchAndNoteTime: typeof fetch = async (input, init) => {
  const sentMs = Date.now()
  const answer = await fetch(input, init)
  noteServerTime(answer.headers.get('date'), sentMs, Date.now())
  return answer
}

type Request = { tries: number; approval: string | null }

/** The service that served this page. The session is a cookie, so there is no key. */
const connectFor = ({ tries, approval }: Request) =>
  connect({
    baseUrl: window.location.origin,
    timeoutMs: TIMEOUT_MS,
    tries,
    fetch: (input, init) =>
      fetchAndNoteTime(
        input,
        approval === null ? init : { ...init, headers: { ...init?.headers, approval } },
      ),
  })
const usual = connectFor({ tries: 3, approval: null })
const single = connectFor({ tries: 1, approval: null })

type ServiceOptions = CallOptions & {
  /** Tries once, because the caller retries. */
  isSingle?: boolean
  /** The token of an approval by a manager (approval.ts). */
  approval?: string | undefined
}

function connectionFor({ isSingle, approval }: ServiceOptions) {
  if (approval !== undefined) return connectFor({ tries: 3, approval })
  return isSingle ? single : usual
}

/** Notes whether the service was reached. A session that ended leads to the sign-in page; the cart stays on the device. */
async function noting<D>(answer: Promise<D>): Promise<D> {
  try {
    const data = await answer
    useSession.getState().setReachable(true)
    return data
  } catch (error) {
    if (isKasirError(error)) {
      useSession.getState().setReachable(true)
      if (error.code === 'AUTH_REQUIRED') useSession.getState().end()
    } else useSession.getState().setReachable(false)
    throw error
  }
}

/** Calls the service. */
export async function call<I, D>(
  operation: Operation<I, D>,
  input?: I,
  options: ServiceOptions = {},
): Promise<D> {
  const { isSingle = false, approval, ...rest } = options
  const send = operation as unknown as (...args: unknown[]) => Promise<D>
  return noting(send(connectionFor({ isSingle, approval }), input, rest))
}

type Lister = { all(connection: Connection, ...args: unknown[]): AsyncGenerator<unknown, void, undefined> }

async function readAll<Row>(operation: unknown, input: object): Promise<Row[]> {
  const rows: Row[] = []
  for await (const row of (operation as Lister).all(usual, input)) rows.push(row as Row)
  return rows
}

/** Every row of a list, page after page. */
export const callAll = <Row>(operation: unknown, input: Readonly<Record<string, unknown>>): Promise<Row[]> =>
  noting(readAll<Row>(operation, input))

type Paged<D> = {
  withMeta(
    connection: Connection,
    input: unknown,
  ): Promise<{ data: D; meta: { cursor?: string | null; hasMore?: boolean } }>
}

/** One page of a list, and the cursor of the next one. */
export async function callPage<D>(
  operation: unknown,
  input: Readonly<Record<string, unknown>>,
): Promise<{ data: D; cursor: string | null }> {
  const { data, meta } = await noting((operation as Paged<D>).withMeta(usual, input))
  return { data, cursor: meta.hasMore === true ? (meta.cursor ?? null) : null }
}
