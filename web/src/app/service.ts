import { type CallOptions, connect, isKasirError, type Operation } from 'kasir-client'
import { useSession } from './session.ts'

/** A cashier waits no longer than this for one answer. */
const TIMEOUT_MS = 15_000

/** The service that served this page. The session is a cookie, so there is no key. */
const connection = connect({ baseUrl: window.location.origin, timeoutMs: TIMEOUT_MS, tries: 3 })

/** Calls the service. A session that ended leads to the sign-in page; the cart stays where it is. */
export async function call<I, D>(operation: Operation<I, D>, input?: I, options?: CallOptions): Promise<D> {
  const send = operation as unknown as (...args: unknown[]) => Promise<D>
  try {
    const data = await send(connection, input, options)
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
