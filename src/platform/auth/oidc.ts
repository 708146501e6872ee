import type * as OpenId from 'openid-client'
import type { Logger } from 'pino'
import { ApiError } from '../../core/errors.ts'
import type { Clock } from '../clock.ts'
import type { Config } from '../config.ts'
import { fetchThrough } from '../outgoing/fetch.ts'
import { type Outgoing, OutgoingError, openOutgoing } from '../outgoing/outgoing.ts'

/** One sign-in under way, as the browser carries it: what the provider must answer to, and where to go then. */
export type Attempt = { state: string; nonce: string; verifier: string; returnTo: string }

/**
 * Whom the provider vouches for. `email` is null unless the provider says that it proved the address; `hasTwoFactors`
 * when it says that it saw more than one (`mfa` in `amr`, RFC 8176).
 */
export type Visitor = { email: string | null; name: string | null; hasTwoFactors: boolean }

/** Signs people in on a provider's page: OpenID Connect Core 1.0, code flow with PKCE (RFC 7636, RFC 9700). */
export type OidcClient = {
  /** Where to send the browser. 503 while the provider cannot be read. */
  begin(attempt: Attempt): Promise<URL>
  /** Takes the address that the provider sent the browser back to. 400 when it proves nobody, 503 as above. */
  finish(url: URL, attempt: Attempt): Promise<Visitor>
  newAttempt(returnTo: string): Promise<Attempt>
  close(): Promise<void>
}

/** For each request to the provider. */
const DEADLINE_MS = 8_000
const MAX_BYTES = 256 * 1024
/** What the provider says of itself is read anew after an hour, and a failure not asked about again for 5 seconds. */
const KEEP_MS = 3_600_000
const KEEP_FAILURE_MS = 5_000
/** Two clocks may differ by so much. */
const SKEW_SECONDS = 60

type Opening = {
  config: Pick<Config, 'oidcIssuer' | 'oidcClientId' | 'oidcClientSecret' | 'publicUrl'>
  clock: Clock
  log: Logger
  /** The path that the provider sends browsers back to; after PUBLIC_URL it is what the provider registers. */
  callback: string
}

/** The client of the configured provider; null without one. The library is loaded when somebody first signs in with it. */
export function openOidc({ config, clock, log, callback }: Opening): OidcClient | null {
  const { oidcIssuer: issuer, oidcClientId: clientId, oidcClientSecret: secret, publicUrl } = config
  if (issuer === null || clientId === null || publicUrl === null) return null
  // The operator names this address, and a provider may well live in the same private network.
  const outgoing = openOutgoing({ allowPrivate: true })
  const ask = fetchThrough(outgoing, { deadlineMs: DEADLINE_MS, maxBytes: MAX_BYTES })
  const redirectUri = publicUrl.replace(/\/+$/, '') + callback
  const provider = readProvider({ issuer, clientId, secret, ask, clock })
  const reached = async () =>
    provider().catch((error: unknown) => {
      log.error({ err: error, issuer }, 'the OpenID provider cannot be read')
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

type Reading = {
  issuer: string
  clientId: string
  secret: string | null
  ask: ReturnType<typeof fetchThrough>
  clock: Clock
}

/** What the provider says of itself, read when it is first needed and kept for a while. */
function readProvider({ issuer, clientId, secret, ask, clock }: Reading): () => Promise<Provider> {
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

  // Whoever asks at the same time shares one look at the provider.
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

/** Reads what the provider says of itself, as the first sign-in does. @throws with the reason in words for the operator */
export async function checkProvider(
  issuer: string,
  clock: Clock,
  outgoing: Pick<Outgoing, 'send'>,
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

/** A provider that answers 5xx is as good as away. */
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
  attempt: Attempt,
  nowMs: number,
): Promise<Visitor> {
  const tokens = await client.authorizationCodeGrant(configuration, url, {
    pkceCodeVerifier: attempt.verifier,
    expectedState: attempt.state,
    expectedNonce: attempt.nonce,
    idTokenExpected: true,
  })
  const claims = tokens.claims()
  // The library looks at every claim but this one.
  if (!claims || claims.iat > nowMs / 1000 + SKEW_SECONDS) throw notProven()
  // Some providers name the address only where they are asked for it.
  const told: Record<string, unknown> =
    claims['email'] === undefined && configuration.serverMetadata().userinfo_endpoint !== undefined
      ? { ...claims, ...(await client.fetchUserInfo(configuration, tokens.access_token, claims.sub)) }
      : claims
  const { email, email_verified: isVerified, name } = told
  return {
    // A word that only looks like yes is none.
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
const notProven = () => badRequest('The sign-in provider did not prove who you are; start signing in again')

/** What the provider said, as text of one short line. */
const shown = (text: string) =>
  text
    .replaceAll(/[^\p{L}\p{N}\p{P}\p{S}\p{Zs}]+/gu, ' ')
    .trim()
    .slice(0, 200)

/** What a provider says when it does not know this service (RFC 6749, 5.2). */
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
    const why = [error.error, error.error_description].filter((part) => part !== undefined).map(shown)
    return badRequest(`The sign-in provider refused: ${why.join(', ')}`)
  }
  // A client that the provider does not know is for the operator to mend, and no fault of the visitor.
  if (error instanceof client.ResponseBodyError && CLIENT_FAULTS.includes(error.error)) {
    log.error({ error: shown(error.error), status: error.status }, 'the OpenID provider refuses this client')
    return new ApiError(
      'SERVICE_UNAVAILABLE',
      'The sign-in provider does not accept this service; tell its operator',
    )
  }
  log.warn({ code: (error as { code?: unknown }).code }, 'a sign-in with the OpenID provider was not proven')
  return notProven()
}
