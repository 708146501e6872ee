import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose'

export type Alg = 'RS256' | 'ES256' | 'EdDSA'
export type ProviderKey = { kid: string; alg: Alg; privateKey: CryptoKey; publicJwk: JWK }

/** How the provider answers: with its keys, with a fault, with anything at all, or never. */
export type Mood = 'well' | 'error' | 'nonsense' | 'endless' | 'silent'

/** An identity provider on loopback that publishes its keys over real HTTP, and counts who asks for them. */
export type Provider = {
  env: { IDP_ISSUER: string; IDP_AUDIENCE: string; IDP_JWKS_URL: string }
  keys: ProviderKey[]
  /** How often the keys were asked for. */
  asked(): number
  be(mood: Mood): void
  /** A key that the provider publishes from now on; `publish: false` keeps it to itself. */
  newKey(kid: string, alg: Alg, publish?: boolean): Promise<ProviderKey>
  stop(): Promise<void>
}

export const ISSUER = 'https://id.example.test/realms/kasir'
export const AUDIENCE = 'https://pos.example.test'

export async function startProvider(): Promise<Provider> {
  const keys: ProviderKey[] = []
  let asked = 0
  let mood: Mood = 'well'
  const server: Server = createServer((_request, response) => {
    asked += 1
    if (mood === 'silent') return
    response.writeHead(mood === 'error' ? 500 : 200, { 'content-type': 'application/json' })
    if (mood === 'nonsense') return void response.end('<html>Sign in</html>')
    if (mood === 'endless') return void response.end(`{"keys":[],"padding":"${'x'.repeat(1_000_000)}"}`)
    response.end(JSON.stringify({ keys: keys.map(({ publicJwk }) => publicJwk) }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    env: {
      IDP_ISSUER: ISSUER,
      IDP_AUDIENCE: AUDIENCE,
      IDP_JWKS_URL: `http://127.0.0.1:${port}/jwks.json`,
    },
    keys,
    asked: () => asked,
    be: (next) => {
      mood = next
    },
    newKey: async (kid, alg, publish = true) => {
      const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true })
      const key = {
        kid,
        alg,
        privateKey,
        publicJwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' },
      }
      if (publish) keys.push(key)
      return key
    },
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** What a good token says of a member, an hour long; `undefined` leaves a claim out. */
export function claimsFor(
  member: { accountId: string; id: string },
  nowMs: number,
  more: Record<string, unknown> = {},
): JWTPayload {
  const now = Math.floor(nowMs / 1000)
  const claims = {
    iss: ISSUER,
    aud: AUDIENCE,
    sub: member.id,
    account_id: member.accountId,
    iat: now,
    exp: now + 3_600,
    ...more,
  }
  return Object.fromEntries(Object.entries(claims).filter(([, value]) => value !== undefined))
}

/** Signs claims as a provider would, with anything more in the header. */
export const signedBy = (
  { privateKey, kid, alg }: Pick<ProviderKey, 'privateKey' | 'kid' | 'alg'>,
  claims: JWTPayload,
  header: Record<string, unknown> = {},
) => new SignJWT(claims).setProtectedHeader({ alg, kid, typ: 'JWT', ...header }).sign(privateKey)
