import type * as OpenId from 'openid-client'
import type { Logger } from 'pino'
import { ApiError } from '../../core/errors.ts'
import type { Clock } from '../clock.ts'
import type { Config } from '../config/config.ts'
import { fetchThrough } from '../outgoing/fetch.ts'
import { type OutgoingClient, OutgoingError, openOutgoing } from '../outgoing/outgoing.ts'

/** A pending sign-in in the browser's cookie: the values that the provider must confirm, and where to go next. */
export type OidcAttempt = { state: string; nonce: string; verifier: string; returnTo: string }

/**
 * The person that the provider identifies. `email` is null unless the provider verified the address. `hasTwoFactors`
 * is true if the provider reports multi-factor sign-in (`mfa` in `amr`, RFC 8176).
 */
export type Visitor = { email: string | null; name: string | null; hasTwoFactors: boolean }

/** Signs people in on a provider's page: OpenID Connect Core 1.0, code flow with PKCE (RFC 7636, RFC 9700). */
export type OidcClient = {
  /** Returns the URL to redirect the browser to. Throws 503 while the provider is unreachable. */
  begin(attempt: OidcAttempt): Promise<URL>
  /** Handles the callback URL. Throws 400 if it does not prove an identity, 503 while the provider is unreachable. */
  finish(url: URL, attempt: OidcAttempt): Promise<Visitor>
  newAttempt(returnTo: string): Promise<OidcAttempt>
  close(): Promise<void>
}

/** The time limit for each request to the provider. */
const DEADLINE_MS = 8_000
const MAX_BYTES = 256 * 1024
/** The discovery document is cached for an hour, a failed fetch for 5 seconds. */
const KEEP_MS = 3_600_000
const KEEP_FAILURE_MS = 5_000
/** Allowed clock difference. */
const SKEW_SECONDS = 60

type OidcOptions = {
  config: Pick<Config, 'oidcIssuer' | 'oidcClientId' | 'oidcClientSecret' | 'publicUrl'>
  clock: Clock
  log: Logger
  /** Path of the callback; PUBLIC_URL followed by this path is the redirect URI registered at the provider. */
  callback: string
}

/** Creates the client of the configured provider, or null without one. The library loads at the first sign-in. */
export function openOidc({ config, clock, log, callback }: OidcOptions): OidcClient | null {
  const { oidcIssuer: issuer, oidcClientId: clientId, oidcClientSecret: secret, publicUrl } = config
  if (issuer === null || clientId === null || publicUrl === null) return null
  // The operator sets this address, and the provider may be in the same private network.
  const outgoing = openOutgoing({ allowPrivate: true })
  const ask = fetchThrough(outgoing, { deadlineMs: DEADLINE_MS, maxBytes: MAX_BYTES })
  const redirectUri = publicUrl.replace(/\/+$/, '') + callback
  const provider = readProvider({ issuer, clientId, secret, ask, clock })
  const reached = async () =>
    provider().catch((error: unknown) => {
      log.error({ err: error, issuer }, 'could not read the configuration of the OpenID provider')
      throw away()
    })

  return {
    newAttempt: async (returnTo) => {
      const { client } = await reached()
      return {
        state: client.randomState(),
        nonce: client.randomNonce(),
        verifier: client.randomPKCECodeVerifier(),
        returnTo,
      }
    },
    begin: async ({ state, nonce, verifier }) => {
      const { client, configuration } = await reached()
      return client.buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri,
        scope: 'openid email profile',
        state,
        nonce,
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      })
    },
    finish: async (url, attempt) => {
      const answered = new URL(redirectUri)
      answered.search = url.search
      const there = await reached()
      try {
        return await redeem(there, answered, attempt, clock.ms())
      } catch (error) {
        throw refusalOf(there.client, error, log)
      }
    },
    close: outgoing.close,
  }
}

type Provider = { client: typeof OpenId; configuration: OpenId.Configuration }

type ProviderClient = {
  issuer: string
  clientId: string
  secret: string | null
  ask: ReturnType<typeof fetchThrough>
  clock: Clock
}

/** Reads the discovery document on first use and caches it. */
function readProvider({ issuer, clientId, secret, ask, clock }: ProviderClient): () => Promise<Provider> {
  let known: { at: number; keepMs: number; provider: Promise<Provider> } | undefined

  const discover = async (): Promise<Provider> => {
    const client = await import('openid-client')
    const configuration = await client.discovery(
      new URL(issuer),
      clientId,
      {},
      secret === null ? client.None() : client.ClientSecretBasic(secret),
      {
        [client.customFetch]: failingLoudly(ask),
        timeout: DEADLINE_MS / 1000,
        execute: [
          client.enableNonRepudiationChecks,
          ...(new URL(issuer).protocol === 'http:' ? [client.allowInsecureRequests] : []),
        ],
      },
    )
    Object.assign(configuration, { [client.clockTolerance]: SKEW_SECONDS })
    return { client, configuration }
  }

  // Concurrent callers share one request to the provider.
  return () => {
    const now = clock.ms()
    if (known && now - known.at < known.keepMs) return known.provider
    const looking = discover()
    const entry = { at: now, keepMs: KEEP_MS, provider: looking }
    known = entry
    looking.catch(() => {
      Object.assign(entry, { at: clock.ms(), keepMs: KEEP_FAILURE_MS })
    })
    return looking
  }
}

/** Reads the discovery document, as the first sign-in does. @throws with a reason that the operator can read */
export async function checkProvider(
  issuer: string,
  clock: Clock,
  outgoing: Pick<OutgoingClient, 'send'>,
): Promise<void> {
  const ask = fetchThrough(outgoing, { deadlineMs: DEADLINE_MS, maxBytes: MAX_BYTES })
  await readProvider({ issuer, clientId: 'kasir', secret: null, ask, clock })().catch((error: unknown) => {
    throw new Error(unreadable(error), { cause: error })
  })
}

const UNREADABLE: Readonly<Record<string, string>> = {
  OAUTH_RESPONSE_IS_NOT_CONFORM: 'it has no discovery document (/.well-known/openid-configuration)',
  OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED: 'its discovery document names another issuer',
}

function unreadable(error: unknown): string {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof OutgoingError || cause instanceof ProviderDown) return cause.message
  }
  return UNREADABLE[(error as { code?: string }).code ?? ''] ?? 'its discovery document cannot be read'
}

class ProviderDown extends Error {}

/** Treats a 5xx response as a provider that is down. */
const failingLoudly =
  (ask: ReturnType<typeof fetchThrough>): OpenId.CustomFetch =>
  async (url, { method, headers, body }) => {
    const reply = await ask(url, { method, headers, body })
    if (reply.status >= 500) throw new ProviderDown(`the provider answered ${reply.status}`)
    return reply
  }

async function redeem(
  { client, configuration }: Provider,
  url: URL,
  attempt: OidcAttempt,
  nowMs: number,
): Promise<Visitor> {
  const tokens = await client.authorizationCodeGrant(configuration, url, {
    pkceCodeVerifier: attempt.verifier,
    expectedState: attempt.state,
    expectedNonce: attempt.nonce,
    idTokenExpected: true,
  })
  const claims = tokens.claims()
  // The library checks every claim except `iat`.
  if (!claims || claims.iat > nowMs / 1000 + SKEW_SECONDS) throw notProvenError()
  // Some providers return the address only from the userinfo endpoint.
  const told: Record<string, unknown> =
    claims['email'] === undefined && configuration.serverMetadata().userinfo_endpoint !== undefined
      ? { ...claims, ...(await client.fetchUserInfo(configuration, tokens.access_token, claims.sub)) }
      : claims
  const { email, email_verified: isVerified, name } = told
  return {
    // Only the boolean true counts as verified, not the string "true".
    email: typeof email === 'string' && isVerified === true ? email : null,
    hasTwoFactors: Array.isArray(claims['amr']) && claims['amr'].includes('mfa'),
    name: typeof name === 'string' && readable(name) !== '' ? readable(name) : null,
  }
}

const readable = (name: string) => [...name.replaceAll(/\p{C}+/gu, ' ').trim()].slice(0, 120).join('').trim()

const away = () =>
  new ApiError('SERVICE_UNAVAILABLE', 'The sign-in provider does not answer; try again in a minute', {
    headers: { 'retry-after': '60' },
  })
const badRequest = (message: string) => new ApiError('VALIDATION_ERROR', message, { status: 400 })
const notProvenError = () =>
  badRequest('The sign-in provider did not prove who you are; start signing in again')

/** Cleans the provider's text to one short line. */
const toPrintable = (text: string) =>
  text
    .replaceAll(/[^\p{L}\p{N}\p{P}\p{S}\p{Zs}]+/gu, ' ')
    .trim()
    .slice(0, 200)

/** Errors for a client that the provider rejects (RFC 6749, 5.2). */
const CLIENT_FAULTS: readonly string[] = ['invalid_client', 'unauthorized_client']

function refusalOf(client: typeof OpenId, error: unknown, log: Logger): ApiError {
  if (error instanceof ApiError) return error
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof OutgoingError || cause instanceof ProviderDown) {
      log.error({ err: cause }, 'the OpenID provider does not answer')
      return away()
    }
  }
  if (error instanceof client.AuthorizationResponseError) {
    const why = [error.error, error.error_description].filter((part) => part !== undefined).map(toPrintable)
    return badRequest(`The sign-in provider refused: ${why.join(', ')}`)
  }
  // A rejected client is a configuration error that only the operator can fix.
  if (error instanceof client.ResponseBodyError && CLIENT_FAULTS.includes(error.error)) {
    log.error(
      { error: toPrintable(error.error), status: error.status },
      'the OpenID provider refuses this client',
    )
    return new ApiError(
      'SERVICE_UNAVAILABLE',
      'The sign-in provider does not accept this service; contact your administrator',
    )
  }
  log.warn(
    { code: (error as { code?: unknown }).code },
    'could not verify a sign-in with the OpenID provider',
  )
  return notProvenError()
}
