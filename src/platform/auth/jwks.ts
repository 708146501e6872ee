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
import type { OutgoingClient } from '../outgoing/outgoing.ts'

/** Keys are fetched again after this long (B-auth-11). */
const FRESH_MS = 10 * 60_000
/** With cached keys, the provider is asked at most once a minute, even if attackers send made-up key ids. */
const BETWEEN_MS = 60_000
/** Without cached keys no token can be verified, so retries are more frequent. */
const RETRY_MS = 5_000
/** How long cached keys are used while the provider is down; a key withdrawn meanwhile still works. */
const HELD_MS = 24 * 3_600_000
const DEADLINE_MS = 3_000
const MAX_BYTES = 256 * 1024

export type ProviderKeys = {
  /**
   * Finds the key for a token header. Returns null if the provider has no key with that id and type. Throws 503 with
   * Retry-After while the provider is unreachable and no keys are cached.
   */
  find(header: JWSHeaderParameters): Promise<CryptoKey | null>
}

type JwksOptions = { url: string; send: OutgoingClient['send']; clock: Clock; log: Logger }

/**
 * The public keys of the identity provider. jose alone is not enough for a till: it drops its keys when the provider
 * fails, and then fetches them again with every request.
 */
export function providerKeys({ url, send, clock, log }: JwksOptions): ProviderKeys {
  let held: ReturnType<typeof createLocalJWKSet> | null = null
  let fetchedMs = Number.NEGATIVE_INFINITY
  let triedMs = Number.NEGATIVE_INFINITY
  let underWay: Promise<void> | undefined

  /** Also false if the clock was set back. */
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
      const told = usable() ? 'continues with the cached keys' : 'fails until the provider recovers'
      log.warn(
        { reason: (error as Error).message },
        `could not fetch the keys of IDP_JWKS_URL; sign-in ${told}`,
      )
    }
  }
  /** Concurrent requests share one fetch. */
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
      // No match, several matches or an invalid key: the token is rejected in each case.
      log.debug({ reason: (error as Error).message }, 'no key of IDP_JWKS_URL matches a token')
      return null
    })
  }

  return {
    find: async (header) => {
      if (!isWithin(fetchedMs, FRESH_MS)) await refresh()
      const key = await among(header)
      if (key) return key
      // The provider may have rotated its keys.
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

/** Counts the provider's usable signing keys. @throws with a reason that the operator can read */
export async function countKeys(url: string, send: OutgoingClient['send']): Promise<number> {
  const set = await readKeys(url, send).catch((error: unknown) => {
    throw error instanceof SyntaxError ? new Error('its response is not JSON') : error
  })
  if (!Array.isArray(set?.keys)) throw new Error('its response is not a set of keys (RFC 7517)')
  const usable = await Promise.all(set.keys.map(isUsable))
  return usable.filter(Boolean).length
}

async function readKeys(url: string, send: OutgoingClient['send']): Promise<JSONWebKeySet> {
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

/** Not 401: the credential may be valid, and a till that receives a 401 signs its cashier out. */
const unreachable = () =>
  new ApiError('SERVICE_UNAVAILABLE', 'The identity provider cannot be reached; try again in a few seconds', {
    headers: { 'retry-after': String(RETRY_MS / 1000) },
  })
