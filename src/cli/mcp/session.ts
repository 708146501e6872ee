import { createKasir, isKasirError, type Kasir, KasirTransportError, KasirUsageError } from '#client'
import { epochMsOf } from '../../core/time.ts'
import type { Clock } from '../../platform/clock.ts'
import { UsageError } from '../command.ts'

/** The member was removed or has another role now, so this process must stop acting for the member. */
export class SessionEnd extends UsageError {}

type DelegateSession = { token: string; expiresAt: string }

/** Tokens are renewed this long before they expire, so a call in flight finishes with the token it started with. */
const AHEAD_MS = 5 * 60_000

type SessionOptions = {
  address: string
  clock: Clock
  /** Creates a token for the member. Throws a SessionEnd if the member no longer exists. */
  mint(): Promise<DelegateSession>
  /** Called once, when the session can never continue. */
  onEnd(end: SessionEnd): void
}

export type ServiceSession = {
  kasir: Kasir
  /** Call before each request: ensures a valid token. Throws a one-sentence error if none can be created. */
  ready(): Promise<void>
  /** Returns why the session ended, or null while it continues. */
  end(): SessionEnd | null
  member: { name: string; role: string }
  business: string
}

/**
 * Opens a session with the service for a member and renews its tokens before they expire. Throws a one-sentence UsageError
 * if the service does not answer or rejects the token.
 */
export const openSession = (opening: SessionOptions): Promise<ServiceSession> =>
  open(opening).catch(throwReadable)

async function open({ address, clock, mint, onEnd }: SessionOptions): Promise<ServiceSession> {
  const send = (token: string, url: string | URL | Request, init: RequestInit = {}) => {
    const headers = { ...(init.headers as Record<string, string>), authorization: `Delegation ${token}` }
    // oxlint-disable-next-line no-restricted-globals -- a client of the service, like any other program with the typed client
    return fetch(url, { ...init, headers })
  }
  const under = (token: string) =>
    createKasir({ baseUrl: address, fetch: (url, init) => send(token, url, init) })
  const whoIs = ({ token }: DelegateSession) => under(token).auth.me()

  let role: string | null = null
  const make = async (): Promise<DelegateSession> => {
    const minted = await mint()
    const { user } = await whoIs(minted)
    if (role === null || user.role === role) return minted
    throw new SessionEnd(
      `${user.name} was ${role} and is ${user.role} now: restart kasir mcp to continue in that role`,
    )
  }
  const tokens = keepTokens({ make, clock, onEnd })
  const kasir = createKasir({
    baseUrl: address,
    fetch: async (url, init) => {
      const before = await tokens.current()
      const response = await send(before.token, url, init)
      // The service rejected the token before doing any work: key replaced, member removed or clocks apart.
      if (response.status !== 401) return response
      const after = await tokens.renewed().catch((error: unknown) => {
        if (error instanceof SessionEnd) return null
        throw error
      })
      if (after === null) return response
      await response.body?.cancel()
      return send(after.token, url, init)
    },
  })
  const { user, account } = await whoIs(await tokens.renewed())
  role = user.role
  return {
    kasir,
    ready: async () => {
      await tokens.current()
    },
    end: tokens.end,
    member: { name: user.name, role: user.role },
    business: account.businessName,
  }
}

type SessionSource = Pick<SessionOptions, 'clock' | 'onEnd'> & { make(): Promise<DelegateSession> }

/** Keeps the current token. Concurrent requests for a new one share one renewal. */
function keepTokens({ make, clock, onEnd }: SessionSource) {
  let held: DelegateSession | null = null
  let renewing: Promise<DelegateSession> | null = null
  let ended: SessionEnd | null = null
  const renew = async (): Promise<DelegateSession> => {
    if (ended) throw ended
    try {
      held = await make()
      return held
    } catch (error) {
      if (error instanceof SessionEnd) {
        ended = error
        onEnd(error)
      }
      throw error
    } finally {
      renewing = null
    }
  }
  const renewed = (): Promise<DelegateSession> => {
    renewing ??= renew()
    return renewing
  }
  const isFresh = ({ expiresAt }: DelegateSession) => epochMsOf(expiresAt) - clock.ms() > AHEAD_MS
  return {
    renewed,
    current: async () => (held !== null && isFresh(held) ? held : renewed()),
    end: () => ended,
  }
}

function throwReadable(error: unknown): never {
  if (error instanceof KasirUsageError) throw new UsageError(error.message.replace('baseUrl', '--url'))
  if (error instanceof KasirTransportError) {
    throw new UsageError(
      `The service does not answer (${error.message}). Check that it is running, or name another one with --url`,
    )
  }
  if (isKasirError(error)) {
    throw new UsageError(
      `The service rejects a token of this installation (${error.message}). Check that the service at --url uses this database`,
    )
  }
  throw error
}
