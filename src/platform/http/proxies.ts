import proxyAddr from '@fastify/proxy-addr'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Config } from '../config/config.ts'
import type { Deps } from '../deps.ts'

/** Whether the address at this hop (0 is the peer) is one of our proxies. */
export type Trust = (address: string, hop: number) => boolean

/**
 * Decides whose X-Forwarded-For is trusted. A proxy appends the address it saw, so with `n` proxies in front only the
 * last `n` entries are theirs; the client wrote the entries before them. Fastify's own numeric setting trusts no peer.
 */
export function trustOf({ trustProxy }: Pick<Config, 'trustProxy'>): Trust {
  return typeof trustProxy === 'number' ? (_address, hop) => hop < trustProxy : proxyAddr.compile(trustProxy)
}

/** Any client can send such a header, so it is logged at most once an hour in total. */
const TELL_EVERY_MS = 3_600_000

/** Warns about a proxy missing from the settings: all clients behind it would share the budget of its address. */
export function watchForwarded(
  app: FastifyInstance,
  { log, clock }: Pick<Deps, 'log' | 'clock'>,
  trust: Trust,
) {
  let toldMs = Number.NEGATIVE_INFINITY
  app.addHook('onRequest', (request, _reply, next) => {
    const header = unreadHeader(request, trust)
    const nowMs = clock.ms()
    if (header !== null && nowMs - toldMs >= TELL_EVERY_MS) {
      toldMs = nowMs
      log.warn({ peer: request.socket.remoteAddress, header }, TOLD[header])
    }
    next()
  })
}

/** Removes the country header from requests that did not come through one of our proxies: any client can send it. */
export function dropStrangeCountry(
  app: FastifyInstance,
  { countryHeader }: Pick<Config, 'countryHeader'>,
  trust: Trust,
) {
  app.addHook('onRequest', ({ headers, socket }, _reply, next) => {
    if (countryHeader in headers && !trust(socket.remoteAddress ?? '', 0)) delete headers[countryHeader]
    next()
  })
}

const TOLD = {
  'x-forwarded-for':
    'a request came with X-Forwarded-For from a peer that TRUST_PROXY does not trust: if this is your proxy, all clients behind it count as one address until TRUST_PROXY names it',
  forwarded:
    'a request came with Forwarded, which is not read: if this is your proxy, all clients behind it count as one address until it sends X-Forwarded-For and TRUST_PROXY names it',
} as const

/** The untrusted header that names a client other than the peer. */
function unreadHeader({ headers, socket }: FastifyRequest, trust: Trust): keyof typeof TOLD | null {
  if (headers['x-forwarded-for']) return trust(socket.remoteAddress ?? '', 0) ? null : 'x-forwarded-for'
  return headers.forwarded ? 'forwarded' : null
}
