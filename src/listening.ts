import type { FastifyInstance } from 'fastify'
import { StartError, systemCode } from './core/fault.ts'
import type { Config } from './platform/config/config.ts'
import type { Deps } from './platform/deps.ts'

type ListenAddress = { host: string; port: number }
/** By system code; the settings are named with their prefix. */
const LISTEN_FAULTS: Readonly<Record<string, (at: ListenAddress, prefix: string) => string>> = {
  EADDRINUSE: ({ port }, prefix) =>
    `Port ${port} is taken; stop what uses it or set ${prefix}PORT to another one.`,
  EACCES: ({ port }, prefix) =>
    `Port ${port} may not be opened by this user; set ${prefix}PORT to one above 1023.`,
  EADDRNOTAVAIL: ({ host }, prefix) => `${prefix}HOST ${host} is not an address of this machine.`,
  ENOTFOUND: ({ host }, prefix) => `${prefix}HOST ${host} is not an address of this machine.`,
}

/** Loaded only if it is wanted. The requests are counted from the first one, so this comes before the port is open. */
export async function startMetrics(app: FastifyInstance, deps: Deps) {
  const { metricsPort: port, metricsHost: host } = deps.config
  if (port === null) return null
  const { openMetrics } = await import('./platform/metrics/metrics.ts')
  const { serveMetrics } = await import('./platform/metrics/listen.ts')
  return serveMetrics(openMetrics(app, deps), { host, port }).catch((error: unknown) => {
    const told = LISTEN_FAULTS[systemCode(error)]
    throw told ? new StartError('PORT_UNUSABLE', told({ host, port }, 'METRICS_')) : error
  })
}

/** Loaded only if it is wanted. `close` sends the last traces. */
export async function startTraces(app: FastifyInstance, { tracesUrl }: Config) {
  if (tracesUrl === null) return null
  const { openTraces } = await import('./platform/tracing/traces.ts')
  return openTraces(app, tracesUrl)
}

/** Opens the port of the API. Throws a StartError that names the setting to change. */
export async function listen(app: FastifyInstance, config: Config): Promise<string> {
  try {
    return await app.listen({ host: config.host, port: config.port })
  } catch (error) {
    const told = LISTEN_FAULTS[systemCode(error)]
    throw told ? new StartError('PORT_UNUSABLE', told(config, '')) : error
  }
}
