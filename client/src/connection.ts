import { KasirUsageError } from './errors.ts'

export type ClientOptions = {
  /** Where the service is reached, such as `https://pos.example.com`; without `/api/v1`. */
  baseUrl: string
  /** An API key, or a token of the identity provider. Without one only what is open to everybody answers. */
  apiKey?: string
  /** Instead of the platform's own `fetch`. */
  fetch?: typeof fetch
  /** For one call with all its tries, in milliseconds; 30,000 by default. */
  timeoutMs?: number
  /** How often one call is tried at most; 4 by default. */
  tries?: number
}

/** What every call needs to know of the service. */
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

/** `URL.canParse` of Node 20 refuses letters beyond ASCII once it has been called often enough to be compiled. */
function addressIn(text: string): URL | null {
  try {
    return new URL(text)
  } catch {
    return null
  }
}

/** Throws a KasirUsageError for an address or a key that cannot be right. */
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
    throw new KasirUsageError('baseUrl must hold no user or password; the key belongs into apiKey')
  }
  if (apiKey !== undefined && !VISIBLE.test(apiKey)) {
    throw new KasirUsageError(
      apiKey === ''
        ? 'apiKey is empty: is the environment variable set?'
        : 'apiKey must be visible characters without spaces: is a line break behind it?',
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
