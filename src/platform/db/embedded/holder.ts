import { readFile, readlink } from 'node:fs/promises'
import { hostname } from 'node:os'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { nullOnCodes } from '../../../core/fault.ts'
import { systemClock } from '../../clock.ts'

const HolderFile = Type.Object({
  command: Type.String(),
  pid: Type.Integer(),
  host: Type.String(),
  /** Identifies the process namespace of `pid`: each container has its own. Null on systems without namespaces. */
  pidNamespace: Type.Union([Type.String(), Type.Null()]),
  startedAt: Type.String(),
  /** Whether its database accepts connections. */
  hasDatabase: Type.Boolean(),
})
type HolderFile = Static<typeof HolderFile>

/** The process that holds a data directory. */
export type Holder = Pick<HolderFile, 'command' | 'hasDatabase'> & {
  pid: number | null
  startedAt: string | null
  /** The host or container that runs it; null if it is this one. */
  elsewhere: string | null
}

const SERVICES = ['serve', 'reference-partner']

/** Whether the holder runs until it is stopped; other commands end by themselves. */
export const isService = ({ command }: Holder): boolean => SERVICES.includes(command)

const ownNamespace = () => nullOnCodes(readlink('/proc/self/ns/pid'), 'ENOENT', 'EACCES', 'EPERM')

/** Returns a function that makes the JSON of this process's claim file. */
export async function holderFileOf(command: string): Promise<(hasDatabase: boolean) => string> {
  const own = {
    command,
    pid: process.pid,
    host: hostname(),
    pidNamespace: await ownNamespace(),
    startedAt: systemClock.now(),
  }
  return (hasDatabase) => `${JSON.stringify({ ...own, hasDatabase } satisfies HolderFile)}\n`
}

/** Reads a claim file; null if there is none. */
export async function readHolder(file: string): Promise<Holder | null> {
  const text = await nullOnCodes(readFile(file, 'utf8'), 'ENOENT', 'EACCES')
  const claim = text === null ? null : parseHolderFile(text)
  if (claim === null) return null
  const { host, pidNamespace, ...holder } = claim
  const isHere = host === hostname() && pidNamespace === (await ownNamespace())
  const elsewhere = isHere
    ? null
    : host === hostname()
      ? `another container of ${host}`
      : `the host or container ${host}`
  return { ...holder, elsewhere }
}

/** Describes an older version, which writes no file: it may be a service, or a command whose database others share. */
export const unknownHolder = (pid: number | null): Holder => ({
  command: 'serve',
  pid,
  startedAt: null,
  hasDatabase: true,
  elsewhere: null,
})

function parseHolderFile(text: string): HolderFile | null {
  try {
    const value: unknown = JSON.parse(text)
    return Value.Check(HolderFile, value) ? value : null
  } catch {
    return null
  }
}

/** Describes where the process runs, in brackets; empty if that is unknown. */
export function placeOf({ pid, elsewhere }: Holder): string {
  if (pid === null) return ''
  return elsewhere === null ? ` (process ${pid})` : ` (process ${pid} in ${elsewhere})`
}

/** Names the command with its process and start: `kasir backup (process 812, since 2026-11-23T03:30:00.000Z)`. */
export function nameOfHolder(holder: Holder): string {
  const place = placeOf(holder)
  const since = holder.startedAt === null ? '' : `, since ${holder.startedAt}`
  return `kasir ${holder.command}${place === '' ? '' : `${place.slice(0, -1)}${since})`}`
}
