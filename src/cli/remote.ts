import path from 'node:path'
import { findLogins } from '../demo/logins.ts'
import { API_PREFIX } from '../platform/http/route.ts'
import { openOutgoing } from '../platform/outgoing/outgoing.ts'
import { VERSION } from '../platform/version.ts'
import { callableAddress } from './address.ts'
import { dataDirArg, settingsOf, UsageError } from './command.ts'

/** The options that name the running service and the key to call it with. */
export const remoteArgs = {
  url: {
    type: 'string',
    valueHint: 'address',
    description: 'Address of the service. Default: the one on this data directory',
  },
  'api-key': {
    type: 'string',
    valueHint: 'key',
    description: 'A key of the workspace (or KASIR_API_KEY). Default: the key of the demo workspace',
  },
  ...dataDirArg,
} as const

export type RemoteOptions = {
  url?: string | undefined
  'api-key'?: string | undefined
  'data-dir'?: string | undefined
}

const DEADLINE_MS = 30_000
/** A page of a hundred events. */
const MOST_BYTES = 16 * 1024 * 1024

/** The service answered a call with an error. */
export class RequestRefused extends Error {
  readonly status: number

  constructor(call: string, status: number, message: string) {
    super(`${call} answered ${status}: ${message}`)
    this.name = 'Refused'
    this.status = status
  }
}

export type RemoteAnswer<T> = { data: T; page: { cursor?: string | null; hasMore?: boolean } }
export type Remote = {
  address: string
  /** @throws {RequestRefused} if the service answers with an error, {OutgoingError} if it does not answer */
  call<T>(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    body?: object,
  ): Promise<RemoteAnswer<T>>
  /** Posts to the address that the operator chose and returns the status. */
  post(url: string, headers: Record<string, string>, body: string, signal?: AbortSignal): Promise<number>
  close(): Promise<void>
}

export async function openRemote(options: RemoteOptions): Promise<Remote> {
  const config = settingsOf({ DATA_DIR: options['data-dir'] })
  const address = (options.url ?? (await callableAddress(config, true))).replace(/\/$/, '')
  // The key of the demo workspace is sent only to the service on this machine.
  const ofDemo = async () => (options.url === undefined ? demoKey(path.resolve(config.dataDir)) : null)
  const key = options['api-key'] ?? process.env['KASIR_API_KEY'] ?? (await ofDemo())
  if (key === null) {
    throw new UsageError(
      options.url === undefined
        ? 'Name the workspace with --api-key, or create a demo workspace with kasir demo'
        : 'Name the workspace of that service with --api-key (or KASIR_API_KEY)',
    )
  }
  const outgoing = openOutgoing({ allowPrivate: true })
  const headers = { 'user-agent': `Kasir/${VERSION}`, 'content-type': 'application/json' }
  return {
    address,
    call: async <T>(method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', route: string, body?: object) => {
      const { status, body: bytes } = await outgoing.send({
        method,
        url: `${address}${API_PREFIX}${route}`,
        headers: { ...headers, authorization: `Bearer ${key}` },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        deadlineMs: DEADLINE_MS,
        maxBytes: MOST_BYTES,
      })
      const { data, error, meta } = readAnswer(bytes, address)
      if (error) throw new RequestRefused(`${method} ${route.split('?')[0]}`, status, error.message)
      return { data: data as T, page: meta }
    },
    post: async (url, more, body, signal) => {
      const { status } = await outgoing.send({
        method: 'POST',
        url,
        headers: { ...headers, ...more },
        body,
        deadlineMs: DEADLINE_MS,
        maxBytes: 0,
        ...(signal ? { signal } : {}),
      })
      return status
    },
    close: outgoing.close,
  }
}

type Envelope = { data: unknown; error?: { message: string }; meta: RemoteAnswer<unknown>['page'] }

function readAnswer(bytes: Buffer, address: string): Envelope {
  try {
    return JSON.parse(bytes.toString('utf8')) as Envelope
  } catch {
    throw new UsageError(`${address} is not a Kasir service: its answer was not JSON`)
  }
}

/** Returns the key of the newest demo workspace on this data directory. */
const demoKey = async (dataDir: string) =>
  (await findLogins(dataDir)).findLast(({ apiKey }) => apiKey !== null)?.apiKey ?? null
