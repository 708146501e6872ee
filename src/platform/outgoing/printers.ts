import { connect, isIP, type Socket } from 'node:net'
import { ASK_STATUS, faultIn, isStatus } from '../../core/printer-status.ts'
import { FAULTS, type Fault } from '../../core/printing.ts'
import type { Config } from '../config/config.ts'
import { limitedResolver, type ResolveName, systemAddresses } from './printer-names.ts'
import { type Network, PRIVATE_NETWORKS, printerAddresses } from './printer-networks.ts'

/** Why the service does not print to a host. */
export type HostFault = 'form' | 'address'

export type PrintOutcome =
  | { isPrinted: true }
  /** `mayHavePrinted`: a part of the job may be on paper. */
  | { isPrinted: false; reason: Fault; mayHavePrinted: boolean }

/** The workspace shares the look-ups of names with others. */
export type PrinterTarget = { accountId: string; host: string; port: number }

/** The only client of network printers: it checks every address of a name and connects to a checked address. */
export type PrinterClient = {
  /**
   * Checks a host before it is saved: its form, and every address of its name. Null if it may be used. A name that
   * does not resolve at the moment is accepted, because each connection checks again.
   */
  faultOf(target: Omit<PrinterTarget, 'port'>): Promise<HostFault | null>
  print(target: PrinterTarget, bytes: Uint8Array): Promise<PrintOutcome>
}

/** The networks that printers may be in: private ones, unless anyone may open a workspace (B-printer-3). */
export const printerNetworksOf = ({
  printerNetworks,
  signup,
}: Pick<Config, 'printerNetworks' | 'signup'>): readonly Network[] =>
  printerNetworks ?? (signup === 'open' ? [] : PRIVATE_NETWORKS)

export type PrinterClientOptions = {
  networks: readonly Network[]
  /** Tests replace it. */
  resolve?: ResolveName
  tuning?: Partial<PrinterTiming>
}

export type PrinterTiming = {
  /** The time limit from the look-up of the name to the open connection. */
  connectMs: number
  /** Printers that report their state do so within this time. */
  statusMs: number
  /** The whole job, connection included. Shorter than the lease of a job. */
  deadlineMs: number
}
/** A printer answers a job with four bytes. Beyond this limit the connection is closed: the answer would fill the memory. */
const MAX_ANSWER_BYTES = 4_096
const TIMING: PrinterTiming = { connectMs: 2_000, statusMs: 500, deadlineMs: 8_000 }

const LABEL = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/i
/** A name, or an address in its usual form. Numbers that some systems read as an address are no name. */
function isHost(host: string): boolean {
  if (isIP(host) !== 0) return !host.includes('%')
  const labels = host.replace(/\.$/, '').split('.')
  return host.length <= 253 && labels.every((label) => LABEL.test(label)) && !/^\d/.test(labels.at(-1) ?? '')
}

export function openPrinters({
  networks,
  resolve = systemAddresses,
  tuning = {},
}: PrinterClientOptions): PrinterClient {
  const timing = { ...TIMING, ...tuning }
  const permits = printerAddresses(networks)
  const resolveName = limitedResolver(resolve, timing.connectMs)
  const addressesOf = async ({ accountId, host }: Omit<PrinterTarget, 'port'>): Promise<readonly string[]> =>
    isIP(host) === 0 ? resolveName(accountId, host) : [host]
  return {
    faultOf: async (target) => {
      if (!isHost(target.host)) return 'form'
      if (networks.length === 0) return 'address'
      return (await addressesOf(target)).every(permits) ? null : 'address'
    },
    print: async (target, bytes) => {
      if (networks.length === 0) return failed('ADDRESS_REFUSED')
      const startedMs = performance.now()
      const found = isHost(target.host) ? await addressesOf(target) : []
      const [address] = found
      if (address === undefined) return failed('UNREACHABLE')
      // Refused if any of its addresses is outside: the next look-up may return only that one.
      if (!found.every(permits)) return failed('ADDRESS_REFUSED')
      return printAt({ host: address, port: target.port }, bytes, timing, startedMs)
    },
  }
}

const failed = (reason: Fault, mayHavePrinted = false): PrintOutcome => ({
  isPrinted: false,
  reason,
  mayHavePrinted: mayHavePrinted && !FAULTS[reason],
})

type Wire = {
  write(bytes: Uint8Array): void
  end(): void
  /** Waits for two status bytes; null if none come within `ms`, 'closed' if the connection ends before. */
  status(ms: number): Promise<readonly [number, number] | 'closed' | null>
  /** Waits for the printer to close the connection: true if it did so without an error, false after `ms`. */
  closed(ms: number): Promise<boolean | 'lost'>
}

async function printAt(
  target: Pick<PrinterTarget, 'host' | 'port'>,
  bytes: Uint8Array,
  { connectMs, statusMs, deadlineMs }: PrinterTiming,
  startedMs: number,
): Promise<PrintOutcome> {
  const left = () => Math.max(1, deadlineMs - (performance.now() - startedMs))
  const socket = await opened(target, connectMs)
  if (socket === null) return failed('UNREACHABLE')
  const wire = wireOf(socket)
  try {
    wire.write(ASK_STATUS)
    const before = await wire.status(statusMs)
    if (before === 'closed') return failed('CONNECTION_LOST')
    const fault = before && faultIn(...before)
    if (fault) return failed(fault)
    wire.write(bytes)
    if (before) {
      // The answer shows that the printer has received all bytes before the question.
      wire.write(ASK_STATUS)
      const after = await wire.status(left())
      if (after === 'closed') return failed('CONNECTION_LOST', true)
      if (after === null) return failed('NO_ANSWER', true)
      const faultAfter = faultIn(...after)
      return faultAfter ? failed(faultAfter, true) : { isPrinted: true }
    }
    // A printer that reports no state closes the connection once it has read everything.
    wire.end()
    const closed = await wire.closed(left())
    if (closed === 'lost') return failed('CONNECTION_LOST', true)
    return closed ? { isPrinted: true } : failed('NO_ANSWER', true)
  } finally {
    wire.end()
    // A printer that never closes would keep the connection; the bytes are on their way.
    setTimeout(() => socket.destroy(), 1_000).unref()
  }
}

function opened(
  { host, port }: Pick<PrinterTarget, 'host' | 'port'>,
  connectMs: number,
): Promise<Socket | null> {
  return new Promise((resolve) => {
    const socket = connect({ host, port })
    const give = (result: Socket | null) => {
      clearTimeout(timer)
      socket.removeAllListeners('connect')
      resolve(result)
    }
    const timer = setTimeout(() => {
      socket.destroy()
      give(null)
    }, connectMs)
    socket.once('connect', () => give(socket))
    // Stays: an error without a listener would end the process.
    socket.on('error', () => give(null))
  })
}

function wireOf(socket: Socket): Wire {
  let statuses: number[] = []
  let state: 'open' | 'closed' | 'lost' = 'open'
  let received = 0
  let wake = () => {}
  const changed = () => wake()
  socket.setNoDelay(true)
  socket.on('data', (chunk: Buffer) => {
    received += chunk.length
    if (received > MAX_ANSWER_BYTES) {
      state = 'lost'
      statuses = []
      socket.destroy()
    } else statuses = [...statuses, ...chunk.filter(isStatus)]
    changed()
  })
  socket.on('error', () => {
    state = 'lost'
    changed()
  })
  socket.on('end', changed)
  socket.on('close', (hadError: boolean) => {
    if (state === 'open') state = hadError ? 'lost' : 'closed'
    changed()
  })
  /** Waits until `isReached`, at most `ms`. */
  const until = async (isReached: () => boolean, ms: number) => {
    const endsMs = performance.now() + ms
    while (!isReached() && performance.now() < endsMs) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, endsMs - performance.now())
        wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
  }
  return {
    write: (bytes) => void (state === 'open' && socket.write(bytes)),
    end: () => void (socket.writableEnded || socket.end()),
    status: async (ms) => {
      await until(() => statuses.length >= 2 || state !== 'open', ms)
      const [first, second] = statuses
      if (first !== undefined && second !== undefined) {
        statuses = statuses.slice(2)
        return [first, second]
      }
      return state === 'open' ? null : 'closed'
    },
    closed: async (ms) => {
      await until(() => state !== 'open', ms)
      return state === 'lost' ? 'lost' : state === 'closed'
    },
  }
}
