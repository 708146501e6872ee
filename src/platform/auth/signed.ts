import type { Logger } from 'pino'
import type { Clock } from '../clock.ts'
import type { Config } from '../config/config.ts'
import { openOutgoing } from '../outgoing/outgoing.ts'
import type { Secrets } from '../secrets/keyring.ts'
import { type DelegateClaims, delegationVerifier } from './delegation.ts'
import { providerKeys } from './jwks.ts'
import { type Claims, verifierOf } from './jwt.ts'
import { type Prove, provingBy, signatureLine } from './signatures.ts'

/** Verifiers of credentials that carry a signature. */
export type SignedTokens = {
  /** JWTs of the identity provider; every JWT is rejected if none is configured. */
  jwt: Prove<Claims>
  /** Delegation tokens that this installation mints for assistants. */
  delegation: Prove<DelegateClaims>
  close(): Promise<void>
}

type IdentityOptions = {
  config: Pick<Config, 'idpIssuer' | 'idpAudience' | 'idpJwksUrl'>
  clock: Clock
  log: Logger
  secrets: Secrets
}

export function openSignedTokens({ config, clock, log, secrets }: IdentityOptions): SignedTokens {
  const line = signatureLine()
  const delegation = provingBy(delegationVerifier(secrets), line, clock)
  const { idpIssuer: issuer, idpAudience: audience, idpJwksUrl: url } = config
  if (issuer === null || audience === null || url === null) {
    return { jwt: async () => null, delegation, close: async () => {} }
  }
  // The operator sets this address, and the provider may be in the same private network.
  const outgoing = openOutgoing({ allowPrivate: true })
  const keys = providerKeys({ url, send: outgoing.send, clock, log })
  const jwt = provingBy(verifierOf({ issuer, audience, keys, log }), line, clock)
  return { jwt, delegation, close: outgoing.close }
}
