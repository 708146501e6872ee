import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'

/** A profile in the format of V8 (`node --cpu-prof`); times in microseconds. */
type ProfileRecord = {
  nodes: { id: number; callFrame: { functionName: string; url: string; lineNumber: number } }[]
  samples: number[]
  timeDeltas: number[]
}
type Share = { name: string; us: number }
/** The processor time of each part of a process without its callees, largest first. */
export type Profile = { busyUs: number; byPlace: Share[]; byFunction: Share[] }

/** Packages by name, the service by folder, and Node by kind of work. */
function placeOf(url: string, functionName: string): string {
  if (functionName === '(garbage collector)') return 'garbage collection'
  if (functionName === '(program)') return 'outside JavaScript: sockets, system calls'
  const [, found] = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url) ?? []
  if (found !== undefined) return `package ${found}`
  const [, folder] = /\/dist\/((?:areas\/[^/]+\/[^/]+)|(?:platform\/[^/]+)|[^/]+)/.exec(url) ?? []
  if (folder !== undefined) return folder.replace(/\.js$/, '')
  if (url === '') return 'system calls: writing to sockets'
  return url.startsWith('node:') ? 'Node: http, net, streams, timers' : 'other'
}

const sorted = (shares: ReadonlyMap<string, number>): Share[] =>
  [...shares].map(([name, us]) => ({ name, us })).sort((a, b) => b.us - a.us)

/** Reads the last seconds of the only profile in a directory. */
export async function readProfile(directory: string, seconds: number): Promise<Profile> {
  const [file] = (await readdir(directory)).filter((name) => name.endsWith('.cpuprofile'))
  if (file === undefined) throw new Error('the service has written no profile')
  const { nodes, samples, timeDeltas } = JSON.parse(
    await readFile(path.join(directory, file), 'utf8'),
  ) as ProfileRecord
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]))
  const places = new Map<string, number>()
  const functions = new Map<string, number>()
  const add = (to: Map<string, number>, name: string, us: number) => to.set(name, (to.get(name) ?? 0) + us)
  let busyUs = 0
  let left = seconds * 1e6
  for (let index = samples.length - 1; index >= 0 && left > 0; index -= 1) {
    const us = timeDeltas[index] ?? 0
    left -= us
    const frame = frames.get(samples[index] ?? 0)
    if (!frame || frame.functionName === '(idle)') continue
    const place = placeOf(frame.url, frame.functionName)
    busyUs += us
    add(places, place, us)
    add(functions, `${frame.functionName || '(anonymous)'}, ${place}`, us)
  }
  return { busyUs, byPlace: sorted(places), byFunction: sorted(functions) }
}
