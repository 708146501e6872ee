import { createKasir, isKasirError, type Kasir, KasirTransportError, KasirUsageError } from '#client'
import { epochMsOf } from '../../core/time.ts'
import type { Clock } from '../../platform/clock.ts'
import { UsageError } from '../command.ts'

/** The member is gone or is somebody else now: nothing this process could do would be right. */
export class SessionEnd extends UsageError {}

type Minted = { token: string; expiresAt: string }

/** A new token this long before the end of the old one: a call that began with it ends with it. */
const AHEAD_MS = 5 * 60_000

type Opening = {
  address: string
  clock: Clock
  /** Makes a token for the member. Throws a SessionEnd where there is no such member any more. */
  mint(): Promise<Minted>
  /** Told once, when the session can never go on. */
  onEnd(end: SessionEnd): void
}

export type Session = {
  kasir: Kasir
  /** Before each call: a token is there. Throws, in one sentence, where none can be made. */
  ready(): Promise<void>
  /** Why it can never go on; null while it can. */
  end(): SessionEnd | null
  member: { name: string; role: string }
  business: string
}

/**
 * Opens the service for a member, under tokens that are made anew before they end. Throws a UsageError, in one sentence,
 * where the service does not answer or does not know the token.
 */
export const openSession = (opening: Opening): Promise<Session> => open(opening).catch(inWords)

async function open({ address, clock, mint, onEnd }: Opening): Promise<Session> {
  const send = (token: string, url: string | URL | Request, init: RequestInit = {}) => {
    const headers = { ...(init.headers as Record<string, string>), authorization: `Delegation ${token}` }
    // oxlint-disable-next-line no-restricted-globals -- a client of the service, like any other program with the typed client
    return fetch(url, { ...init, headers })
  }
  const under = (token: string) =>
    createKasir({ baseUrl: address, fetch: (url, init) => send(token, url, init) })
  const whoIs = ({ token }: Minted) => under(token).auth.me()

  let role: string | null = null
  const make = async (): Promise<Minted> => {
    const minted = await mint()
    const { user } = await whoIs(minted)
    if (role === null || user.role === role) return minted
    throw new SessionEnd(
      `${user.name} was ${role} and is ${user.role} now: start kasir mcp again to go on as that`,
    )
  }
  const tokens = keepTokens({ make, clock, onEnd })
  const kasir = createKasir({
    baseUrl: address,
    fetch: async (url, init) => {
      const before = await tokens.current()
      const response = await send(before.token, url, init)
      // Refused before anything was done: the key was replaced, the member removed or the clocks differ.
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

type Keeping = Pick<Opening, 'clock' | 'onEnd'> & { make(): Promise<Minted> }

/** The token of this moment; however many ask for a new one, one is made. */
function keepTokens({ make, clock, onEnd }: Keeping) {
  let held: Minted | null = null
  let renewing: Promise<Minted> | null = null
  let ended: SessionEnd | null = null
  const renew = async (): Promise<Minted> => {
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
  const renewed = (): Promise<Minted> => {
    renewing ??= renew()
    return renewing
  }
  const isFresh = ({ expiresAt }: Minted) => epochMsOf(expiresAt) - clock.ms() > AHEAD_MS
  return {
    renewed,
    current: async () => (held !== null && isFresh(held) ? held : renewed()),
    end: () => ended,
  }
}

function inWords(error: unknown): never {
  if (error instanceof KasirUsageError) throw new UsageError(error.message.replace('baseUrl', '--url'))
  if (error instanceof KasirTransportError) {
    throw new UsageError(
      `The service does not answer (${error.message}); is it running? --url names another one`,
    )
  }
  if (isKasirError(error)) {
    throw new UsageError(
      `The service does not take a token of this installation (${error.message}): is --url the service that runs on this database?`,
    )
  }
  throw error
}
