import { isIPv4 } from 'node:net'
import type { Config } from './config/config.ts'

/** Warnings about settings that expose the service or its traffic to attackers, each with a remedy. */
export type Exposure = { found: string; remedy: string }

/** Without TLS_CERT the service speaks plain HTTP: https and access from other machines then require a proxy in front. */
export function exposures({
  host,
  publicUrl,
  trustProxy,
  idpJwksUrl,
  tlsCert = null,
}: Pick<Config, 'host' | 'publicUrl' | 'trustProxy' | 'idpJwksUrl'> &
  Partial<Pick<Config, 'tlsCert'>>): Exposure[] {
  const isHttps = publicUrl !== null && new URL(publicUrl).protocol === 'https:'
  const found: Exposure[] = []
  if (!isHttps && !isThisMachine(host)) {
    found.push({
      found: `HOST ${host} lets other machines in without encryption: passwords and API keys can be read on the network`,
      remedy:
        'Set TLS_CERT, TLS_KEY and PUBLIC_URL, or put a proxy with TLS in front; docs/self-hosting.md shows how.',
    })
  }
  if (isHttps && tlsCert === null && trustProxy === 0) {
    found.push({
      found:
        'PUBLIC_URL is https, so a proxy stands in front, but TRUST_PROXY names none: all clients count as one address',
      remedy: 'Set TRUST_PROXY to the number of proxies in front, or to their addresses.',
    })
  }
  if (idpJwksUrl !== null && !isSafe(new URL(idpJwksUrl))) {
    found.push({
      found:
        'IDP_JWKS_URL uses plain HTTP: an attacker on the network can substitute keys and sign in as any user',
      remedy: 'Use an https address, or make sure that only you control the network between.',
    })
  }
  return found
}

const isSafe = ({ protocol, hostname }: URL) =>
  protocol === 'https:' || isThisMachine(hostname.replace(/^\[(.*)\]$/, '$1'))

const isThisMachine = (host: string): boolean => {
  const name = host.toLowerCase().replace(/^::ffff:/, '')
  return name === 'localhost' || name === '::1' || (isIPv4(name) && name.startsWith('127.'))
}
