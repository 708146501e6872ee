import { lookup } from 'node:dns/promises'
import { setTimeout as sleep } from 'node:timers/promises'

/** Resolves all addresses of a name. */
export type ResolveName = (name: string) => Promise<readonly string[]>

/** Each look-up occupies one of the four threads that also hash passwords and read files. */
const MOST_LOOKUPS = 2
/** A name that did not resolve has no addresses for this long, so that it leaves its place to other names. */
const FAILED_MS = 10_000
const MOST_FAILED = 1_000

/** Asks the system, because many printers have a name in mDNS or in the hosts file only. */
export const systemAddresses: ResolveName = async (name) =>
  (await lookup(name, { all: true })).map(({ address }) => address)

type Lookup = { name: string; startedMs: number; give(addresses: readonly string[]): void }

/**
 * Limits the look-ups of a process: a few at a time, and one for each name. Returns no addresses if a name does not
 * resolve within `waitMs`.
 */
export function limitedResolver(resolve: ResolveName, waitMs: number): ResolveName {
  const lookups = new Map<string, Promise<readonly string[]>>()
  const failedUntilMs = new Map<string, number>()
  const waiting: Lookup[] = []
  let running = 0
  const run = async ({ name, give }: Lookup) => {
    running += 1
    const found = await resolve(name).catch(() => [])
    running -= 1
    if (found.length === 0) {
      if (failedUntilMs.size >= MOST_FAILED) failedUntilMs.clear()
      failedUntilMs.set(name, performance.now() + FAILED_MS)
    }
    give(found)
    runNext()
  }
  const runNext = () => {
    while (running < MOST_LOOKUPS) {
      const next = waiting.shift()
      if (next === undefined) return
      // Its caller has stopped waiting.
      if (performance.now() - next.startedMs > waitMs) next.give([])
      else void run(next)
    }
  }
  const lookUp = (name: string) => {
    const shared = lookups.get(name)
    if (shared !== undefined) return shared
    const found = new Promise<readonly string[]>((give) => {
      waiting.push({ name, startedMs: performance.now(), give })
    }).finally(() => lookups.delete(name))
    lookups.set(name, found)
    runNext()
    return found
  }
  return async (name) => {
    if ((failedUntilMs.get(name) ?? 0) > performance.now()) return []
    failedUntilMs.delete(name)
    return Promise.race([lookUp(name), sleep(waitMs, [], { ref: false })])
  }
}
