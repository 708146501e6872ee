import { lookup } from 'node:dns/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { takeTurns } from '../turns.ts'

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

/** The same for a name that a workspace uses. */
export type ResolvePrinter = (accountId: string, name: string) => Promise<readonly string[]>

type Lookup = { accountId: string; name: string; startedMs: number; give(addresses: readonly string[]): void }

/**
 * Limits the look-ups of a process: a few at a time, one for each workspace, and one for each name of it. Workspaces take
 * turns, so slow names of one delay no other. Returns no addresses if a name does not resolve within `waitMs`.
 */
export function limitedResolver(resolve: ResolveName, waitMs: number): ResolvePrinter {
  const lookups = new Map<string, Promise<readonly string[]>>()
  const failedUntilMs = new Map<string, number>()
  const waiting = takeTurns<Lookup>()
  const running = new Set<string>()
  const run = async ({ accountId, name, give }: Lookup) => {
    running.add(accountId)
    const found = await resolve(name).catch(() => [])
    running.delete(accountId)
    if (found.length === 0) {
      if (failedUntilMs.size >= MOST_FAILED) failedUntilMs.clear()
      failedUntilMs.set(name, performance.now() + FAILED_MS)
    }
    give(found)
    runNext()
  }
  const runNext = () => {
    while (running.size < MOST_LOOKUPS) {
      const group = waiting.groups().find((accountId) => !running.has(accountId))
      const next = group === undefined ? undefined : waiting.takeFirst(group)
      if (next === undefined) return
      // Its caller has stopped waiting.
      if (performance.now() - next.startedMs > waitMs) next.give([])
      else void run(next)
    }
  }
  const lookUp = (accountId: string, name: string) => {
    const key = `${accountId} ${name}`
    const shared = lookups.get(key)
    if (shared !== undefined) return shared
    const found = new Promise<readonly string[]>((give) => {
      waiting.add(accountId, { accountId, name, startedMs: performance.now(), give })
    }).finally(() => lookups.delete(key))
    lookups.set(key, found)
    runNext()
    return found
  }
  return async (accountId, name) => {
    if ((failedUntilMs.get(name) ?? 0) > performance.now()) return []
    failedUntilMs.delete(name)
    return Promise.race([lookUp(accountId, name), sleep(waitMs, [], { ref: false })])
  }
}
