import type { Server } from 'node:http'
import { networkOf } from '../../core/network.ts'
import type { Deps } from '../deps.ts'
import type { Trust } from './proxies.ts'

/**
 * One address may hold at most a quarter of all connections; a trusted proxy serves many clients and has no limit.
 */
const SHARE = 4
const TELL_EVERY_MS = 60_000

/** Limits open connections, in total and per address (IPv6: /64). Excess connections are closed without a response. */
export function boundConnections(
  server: Server,
  { config, log }: Pick<Deps, 'config' | 'log'>,
  trust: Trust,
) {
  const perAddress = Math.max(1, Math.floor(config.maxConnections / SHARE))
  /** There are never more entries than open connections. */
  const open = new Map<string, number>()
  const tell = teller((dropped, peer) =>
    log.warn(
      { dropped, peer },
      'connections beyond MAX_CONNECTIONS, or the share of one address, were closed',
    ),
  )
  server.maxConnections = config.maxConnections
  server.on('drop', (data) => tell(data?.remoteAddress))
  server.on('connection', (socket) => {
    const peer = socket.remoteAddress
    if (peer === undefined || trust(peer, 0)) return
    const network = networkOf(peer)
    const held = open.get(network) ?? 0
    if (held >= perAddress) {
      tell(peer)
      return void socket.destroy()
    }
    open.set(network, held + 1)
    socket.once('close', () => {
      const left = (open.get(network) ?? 1) - 1
      if (left === 0) open.delete(network)
      else open.set(network, left)
    })
  })
}

/** Logs the first immediately, and later ones as one line per minute with the latest peer. */
function teller(say: (dropped: number, peer: string | undefined) => void) {
  let dropped = 0
  let last: string | undefined
  let timer: NodeJS.Timeout | undefined
  const flush = () => {
    timer = undefined
    if (dropped === 0) return
    say(dropped, last)
    dropped = 0
    timer = setTimeout(flush, TELL_EVERY_MS).unref()
  }
  return (peer: string | undefined) => {
    dropped += 1
    last = peer
    if (timer === undefined) flush()
  }
}
