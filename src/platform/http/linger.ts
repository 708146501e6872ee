import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** How long, and for how many bytes, a body is still read after its response was sent. */
const LINGER_MS = 5_000
const LINGER_BYTES = 32 * 1024 * 1024
const LOOK_MS = 50

/**
 * Reads and discards the rest of a body whose response was sent early (413). Closing a connection with unread bytes
 * resets it, and the reset overtakes the response: the sender sees EPIPE.
 */
export function lingerAfterAnswers(app: FastifyInstance) {
  app.addHook('onSend', (request, _reply, _payload, next) => {
    if (!request.raw.complete) lingerBeforeClose(request.raw)
    next()
  })
}

/** The latest request of a connection whose response was sent before its body arrived. */
const answered = new WeakMap<Socket, IncomingMessage>()

/** Node closes a connection without keep-alive by `destroySoon`, right after the response. */
function lingerBeforeClose(request: IncomingMessage) {
  const { socket } = request
  // Requests that a CLI command makes in its own process have no connection.
  if (!('destroySoon' in socket)) return
  const isWatched = answered.has(socket)
  answered.set(socket, request)
  if (isWatched) return
  const close = socket.destroySoon.bind(socket)
  socket.destroySoon = () => {
    socket.destroySoon = close
    const latest = answered.get(socket) ?? request
    if (latest.complete) close()
    else drop(latest, socket)
  }
}

function drop(request: IncomingMessage, socket: Socket) {
  const most = socket.bytesRead + LINGER_BYTES
  const end = () => {
    clearInterval(look)
    clearTimeout(late)
    socket.destroySoon()
  }
  const look = setInterval(() => {
    if (request.complete || socket.destroyed || socket.bytesRead > most) end()
  }, LOOK_MS)
  const late = setTimeout(end, LINGER_MS)
  socket.once('close', end)
  request.once('end', end)
  // The body's reader has rejected it, so only this drains the remaining bytes.
  request.resume()
}
