import { countKeys } from '../../platform/auth/jwks.ts'
import { checkProvider } from '../../platform/auth/oidc.ts'
import { systemClock } from '../../platform/clock.ts'
import type { Config } from '../../platform/config/config.ts'
import { type Finding, fault, ok } from '../../platform/doctor/finding.ts'
import { type OutgoingClient, openOutgoing } from '../../platform/outgoing/outgoing.ts'

/** Checks that this machine reaches the configured identity providers. */
export async function providers({ idpJwksUrl, oidcIssuer }: Config): Promise<Finding[]> {
  const outgoing = openOutgoing({ allowPrivate: true })
  try {
    return [
      ...(idpJwksUrl === null ? [] : [await identityProvider(idpJwksUrl, outgoing)]),
      ...(oidcIssuer === null ? [] : [await openIdProvider(oidcIssuer, outgoing)]),
    ]
  } finally {
    await outgoing.close()
  }
}

/** The address may hold a secret, so it is not shown. */
async function identityProvider(url: string, { send }: OutgoingClient): Promise<Finding> {
  const name = 'IDP_JWKS_URL'
  const remedy =
    'Kasir accepts no JWT without its keys: correct IDP_JWKS_URL, or contact the administrator of the provider.'
  try {
    const usable = await countKeys(url, send)
    if (usable > 0) return ok(name, usable === 1 ? 'publishes one key' : `publishes ${usable} keys`)
    return fault(name, 'it publishes no key for RS256, ES256 or EdDSA', remedy)
  } catch (error) {
    return fault(name, (error as Error).message, remedy)
  }
}

async function openIdProvider(issuer: string, outgoing: OutgoingClient): Promise<Finding> {
  const name = 'OIDC_ISSUER'
  try {
    await checkProvider(issuer, systemClock, outgoing)
    return ok(name, `${issuer} answers`)
  } catch (error) {
    return fault(
      name,
      `${issuer}: ${(error as Error).message}`,
      'Single sign-on does not work: correct OIDC_ISSUER, letter for letter, or contact the administrator of the provider.',
    )
  }
}
