import { get } from 'node:http'
import { get as getSecure } from 'node:https'
import { createServer } from 'node:net'
import { systemCode } from '../../core/fault.ts'
import type { Config } from '../../platform/config/config.ts'
import { type Finding, fault, ok } from '../../platform/doctor/finding.ts'

type Health = { status: string; version: string }

/** The port must be free or used by the service of this data directory. Any other program on it is a fault. */
export async function port(config: Config, isOwn = true): Promise<Finding> {
  const { host } = config
  const address = `${host}:${config.port}`
  const health = config.port === 0 ? null : await healthAt(config)
  if (health && !isOwn) {
    return fault(
      'port',
      `${address} is in use by a Kasir service with another data directory`,
      'Check --data-dir and DATA_DIR, or set PORT to another one.',
    )
  }
  if (health?.status === 'ok')
    return ok('service', `version ${health.version} is running at ${address} and is healthy`)
  if (health) {
    return fault(
      'service',
      `it is running at ${address} and reports ${health.status}`,
      'See the checks below and its log.',
    )
  }
  const trouble = await tryPort(host, config.port)
  if (trouble === null) return ok('port', `${address} is free; no service is running there`)
  return trouble === 'EADDRINUSE'
    ? fault('port', `${address} is in use by another program`, 'Stop it, or set PORT to another one.')
    : fault('port', `${address} cannot be opened (${trouble})`, 'Correct HOST and PORT.')
}

/** Trusts any certificate: the address is that of this machine, and another check judges the certificate. */
function healthAt({ host, port, tlsCert }: Config): Promise<Health | null> {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  return new Promise((resolve) => {
    const options = { host: reachable, port, path: '/api/v1/health', timeout: 3_000 }
    const send = tlsCert === null ? get : getSecure
    const request = send({ ...options, rejectUnauthorized: false }, (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('end', () => resolve(parseHealth(Buffer.concat(parts).toString('utf8'))))
      response.on('error', () => resolve(null))
    })
    request.on('timeout', () => request.destroy())
    request.on('error', () => resolve(null))
  })
}

function parseHealth(text: string): Health | null {
  try {
    const { data } = JSON.parse(text) as { data?: Partial<Health> }
    return typeof data?.status === 'string' && typeof data.version === 'string'
      ? { status: data.status, version: data.version }
      : null
  } catch {
    return null
  }
}

function tryPort(host: string, port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error) => resolve(systemCode(error)))
    server.listen(port, host, () => server.close(() => resolve(null)))
  })
}
