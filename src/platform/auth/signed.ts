import type { Logger } from 'pino'
import type { Clock } from '../clock.ts'
import type { Config } from '../config.ts'
import type { Secrets } from '../keyring.ts'
import { openOutgoing } from '../outgoing/outgoing.ts'
import { type DelegateClaims, delegationVerifier } from './delegation.ts'
import { providerKeys } from './jwks.ts'
import { type Claims, verifierOf } from './jwt.ts'
import { type Prove, provingBy, signatureLine } from './signatures.ts'

/** The credentials that prove themselves by a signature. */
export type SignedTokens = {
  /** JWTs of the identity provider; without one in the settings every JWT is wrong. */
  jwt: Prove<Claims>
  /** Tokens of this installation's own making, for assistants. */
  delegation: Prove<DelegateClaims>
  close(): Promise<void>
}

type Opening = {
  config: Pick<Config, 'idpIssuer' | 'idpAudience' | 'idpJwksUrl'>
  clock: Clock
  log: Logger
  secrets: Secrets
}

export function openSignedTokens({ config, clock, log, secrets }: Opening): SignedTokens {
  const line = signatureLine()
  const delegation = provingBy(delegationVerifier(secrets), line, clock)
  const { idpIssuer: issuer, idpAudience: audience, idpJwksUrl: url } = config
  if (issuer === null || audience === null || url === null) {
    return { jwt: async () => null, delegation, close: async () => {} }
  }
  // The operator names this address, and a provider may well live in the same private network.
  const outgoing = openOutgoing({ allowPrivate: true })
  const keys = providerKeys({ url, send: outgoing.send, clock, log })
  const jwt = provingBy(verifierOf({ issuer, audience, keys, log }), line, clock)
  return { jwt, delegation, close: outgoing.close }
}
