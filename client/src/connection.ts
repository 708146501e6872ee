import { KasirUsageError } from './errors.ts'

export type ClientOptions = {
  /** The service's address without `/api/v1`, such as `https://pos.example.com`. */
  baseUrl: string
  /** An API key, or a token of the identity provider. Without one, only public operations work. */
  apiKey?: string
  /** Replaces the platform's `fetch`. */
  fetch?: typeof fetch
  /** Timeout of one call including all tries, in milliseconds. Default: 30,000. */
  timeoutMs?: number
  /** The most tries of one call. Default: 4. */
  tries?: number
}

/** The checked options that every call uses. */
export type Connection = {
  readonly baseUrl: string
  readonly apiKey: string | null
  readonly fetch: typeof fetch
  readonly timeoutMs: number
  readonly tries: number
}

const DEFAULT_TIMEOUT_MS = 30_000
const DEFAULT_TRIES = 4
const VISIBLE = /^[\x21-\x7e]+$/

/** Avoids `URL.canParse`: in Node 20 it rejects non-ASCII letters once the engine has optimized it. */
function addressIn(text: string): URL | null {
  try {
    return new URL(text)
  } catch {
    return null
  }
}

/** Throws a KasirUsageError if the address, the key or another option is invalid. */
export function connect(options: ClientOptions): Connection {
  const { baseUrl, apiKey, timeoutMs = DEFAULT_TIMEOUT_MS, tries = DEFAULT_TRIES } = options
  const base = addressIn(baseUrl)
  if (base === null || !/^https?:$/.test(base.protocol)) {
    throw new KasirUsageError(
      `baseUrl must begin with http:// or https://, such as https://pos.example.com (it is ${JSON.stringify(baseUrl)})`,
    )
  }
  const { pathname, search, hash, username, password, href } = base
  if (/\/api(\/v1)?\/?$/.test(pathname)) {
    throw new KasirUsageError('baseUrl must end before /api/v1: the client adds that by itself')
  }
  if (search !== '' || hash !== '') throw new KasirUsageError('baseUrl must have no query and no fragment')
  if (username !== '' || password !== '') {
    throw new KasirUsageError('baseUrl must not contain a user or password; put the key into apiKey')
  }
  if (apiKey !== undefined && !VISIBLE.test(apiKey)) {
    throw new KasirUsageError(
      apiKey === ''
        ? 'apiKey is empty; check that the environment variable is set'
        : 'apiKey must be visible characters without spaces; check for a line break at its end',
    )
  }
  if (!(timeoutMs > 0)) throw new KasirUsageError('timeoutMs must be more than 0')
  if (!(Number.isInteger(tries) && tries > 0))
    throw new KasirUsageError('tries must be a whole number from 1')
  return Object.freeze({
    baseUrl: href.replace(/\/+$/, ''),
    apiKey: apiKey ?? null,
    fetch: options.fetch ?? ((...args) => globalThis.fetch(...args)),
    timeoutMs,
    tries,
  })
}
