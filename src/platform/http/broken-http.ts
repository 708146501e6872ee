import type { Socket } from 'node:net'
import { ApiError } from '../../core/errors.ts'
import { newId } from '../../core/ids.ts'
import type { Deps } from '../deps.ts'
import { errorText } from './envelope.ts'
import { NO_PAGE } from './pages.ts'

const BROKEN: Record<string, string> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
}

/** Bytes that are not HTTP never reach a route; they too are answered in the envelope. */
export function refuseBrokenHttp(deps: Deps, error: Error & { code?: string }, socket: Socket) {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const status = BROKEN[error.code ?? ''] ?? '400 Bad Request'
  const requestId = newId('request')
  const body = errorText(new ApiError('VALIDATION_ERROR', 'The request is not readable HTTP'), {
    requestId,
    timestamp: deps.clock.now(),
  })
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json; charset=utf-8\r\nContent-Security-Policy: ${NO_PAGE}\r\nX-Request-Id: ${requestId}\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
}
