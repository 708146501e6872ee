import {
  type CryptoKey,
  createLocalJWKSet,
  importJWK,
  type JSONWebKeySet,
  type JWK,
  type JWSHeaderParameters,
} from 'jose'
import type { Logger } from 'pino'
import { ApiError } from '../../core/errors.ts'
import type { Clock } from '../clock.ts'
import type { Outgoing } from '../outgoing/outgoing.ts'

/** Keys are fetched again after this long (B-auth-11). */
const FRESH_MS = 10 * 60_000
/** While keys are held the provider is asked once a minute at most, whatever names of keys strangers invent. */
const BETWEEN_MS = 60_000
/** Without any key nobody can come in, so it is asked more often. */
const RETRY_MS = 5_000
/** How long held keys outlive a provider that does not answer; a key that was withdrawn meanwhile still opens. */
const HELD_MS = 24 * 3_600_000
const DEADLINE_MS = 3_000
const MAX_BYTES = 256 * 1024

export type ProviderKeys = {
  /**
   * The key that the header of a token names; null when the provider has none of that name and kind. 503 with
   * Retry-After while the provider cannot be reached and none of its keys are held.
   */
  find(header: JWSHeaderParameters): Promise<CryptoKey | null>
}

type Source = { url: string; send: Outgoing['send']; clock: Clock; log: Logger }

/**
 * The public keys of the identity provider. What jose does by itself is not enough for a till: it lets go of the keys
 * it holds when the provider fails, and then asks again with every request.
 */
export function providerKeys({ url, send, clock, log }: Source): ProviderKeys {
  let held: ReturnType<typeof createLocalJWKSet> | null = null
  let fetchedMs = Number.NEGATIVE_INFINITY
  let triedMs = Number.NEGATIVE_INFINITY
  let underWay: Promise<void> | undefined

  /** False as well when the clock was set back. */
  const isWithin = (sinceMs: number, ms: number) => {
    const age = clock.ms() - sinceMs
    return age >= 0 && age < ms
  }
  const usable = () => (isWithin(fetchedMs, HELD_MS) ? held : null)

  const fetchNow = async () => {
    triedMs = clock.ms()
    try {
      held = createLocalJWKSet(await readKeys(url, send))
      fetchedMs = clock.ms()
    } catch (error) {
      const told = usable() ? 'goes on with the keys it gave before' : 'lets nobody in until it does'
      log.warn(
        { reason: (error as Error).message },
        `the keys of IDP_JWKS_URL cannot be read; sign-in ${told}`,
      )
    }
  }
  /** Requests that need the keys at once share one look. */
  const refresh = async () => {
    if (underWay === undefined && isWithin(triedMs, usable() ? BETWEEN_MS : RETRY_MS)) return
    underWay ??= fetchNow().finally(() => {
      underWay = undefined
    })
    await underWay
  }
  const among = async (header: JWSHeaderParameters): Promise<CryptoKey | null> => {
    const keys = usable()
    if (!keys) throw unreachable()
    return keys(header).catch((error: unknown) => {
      // None of its name, several, or one that is damaged: the token is refused, whatever it is.
      log.debug({ reason: (error as Error).message }, 'no key of IDP_JWKS_URL suits a token')
      return null
    })
  }

  return {
    find: async (header) => {
      if (!isWithin(fetchedMs, FRESH_MS)) await refresh()
      const key = await among(header)
      if (key) return key
      // The provider may have begun to use another key.
      await refresh()
      return among(header)
    },
  }
}

const ALGORITHMS: Readonly<Record<string, string>> = { RSA: 'RS256', EC: 'ES256', OKP: 'EdDSA' }

const isUsable = async (key: JWK | null): Promise<boolean> => {
  const algorithm = ALGORITHMS[key?.kty ?? '']
  if (!key || algorithm === undefined || key.use === 'enc' || (key.alg ?? algorithm) !== algorithm)
    return false
  return importJWK(key, algorithm).then(
    () => true,
    () => false,
  )
}

/** How many keys the provider publishes that tokens may be signed with. @throws with the reason in words for the operator */
export async function countKeys(url: string, send: Outgoing['send']): Promise<number> {
  const set = await readKeys(url, send).catch((error: unknown) => {
    throw error instanceof SyntaxError ? new Error('its answer is no JSON') : error
  })
  if (!Array.isArray(set?.keys)) throw new Error('its answer is no set of keys (RFC 7517)')
  const usable = await Promise.all(set.keys.map(isUsable))
  return usable.filter(Boolean).length
}

async function readKeys(url: string, send: Outgoing['send']): Promise<JSONWebKeySet> {
  const { status, body, isCut } = await send({
    method: 'GET',
    url,
    headers: { accept: 'application/json' },
    deadlineMs: DEADLINE_MS,
    maxBytes: MAX_BYTES,
  })
  if (status !== 200) throw new Error(`it answers ${status}`)
  if (isCut) throw new Error(`it answers more than ${MAX_BYTES / 1024} KiB`)
  return JSON.parse(body.toString('utf8')) as JSONWebKeySet
}

/** Not 401: the credential may be good, and a till that gets a 401 signs its cashier out. */
const unreachable = () =>
  new ApiError('SERVICE_UNAVAILABLE', 'The identity provider cannot be reached; try again in a few seconds', {
    headers: { 'retry-after': String(RETRY_MS / 1000) },
  })
