import type { Socket } from 'node:net'
import { ApiError } from '../../core/errors.ts'
import { newId } from '../../core/ids.ts'
import type { Deps } from '../deps.ts'
import { NO_PAGE } from '../print/pages.ts'
import { errorText } from './envelope.ts'

type Broken = { status: string; message: string }
const UNREADABLE: Broken = { status: '400 Bad Request', message: 'The request is not readable HTTP' }
const BROKEN: Record<string, Broken> = {
  HPE_HEADER_OVERFLOW: {
    status: '431 Request Header Fields Too Large',
    message: 'The address and the headers of the request are larger than 16 KiB together',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: '408 Request Timeout',
    message: 'The request did not arrive in time: its headers have 10 seconds, all of it 30; send it again',
  },
}

/** Malformed HTTP never reaches a route; its error response uses the envelope too. */
export function refuseBrokenHttp(deps: Deps, error: Error & { code?: string }, socket: Socket) {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const { status, message } = BROKEN[error.code ?? ''] ?? UNREADABLE
  const requestId = newId('request')
  const body = errorText(new ApiError('VALIDATION_ERROR', message), {
    requestId,
    timestamp: deps.clock.now(),
  })
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json; charset=utf-8\r\nContent-Security-Policy: ${NO_PAGE}\r\nX-Content-Type-Options: nosniff\r\nCache-Control: no-store\r\nX-Request-Id: ${requestId}\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
}
