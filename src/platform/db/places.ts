import { refuseCrowd } from '../crowd.ts'
import { takeTurns } from '../turns.ts'

/** Shares the connections of this process between workspaces. */
export type Places = {
  /**
   * Runs `work` once its group has a free connection slot. Throws 503 with Retry-After if none becomes free in time;
   * `work` has not started then.
   */
  within<T>(group: string, work: () => Promise<T>): Promise<T>
  /** How many wait for a connection slot now. */
  waiting(): number
}

/**
 * Runs `work` once there is a free connection slot: one of the workspace of the request, or a `shared` one for a statement
 * that serves several workspaces.
 */
export type WithSlot = <T>(work: () => Promise<T>, slot?: 'shared') => Promise<T>

type Waiter = { enter(): void }

/** `waitMs`: how long a request may wait for a slot. `most`: slots that one group may hold, if that is fewer. */
type PlacesOptions = { places: number; waitMs: number; most?: number }

/** The most slots that a group may hold for each free slot. */
const HELD_PER_FREE = 2

/**
 * Shares the connection slots. A group takes another slot only while it holds fewer than two for each free slot, and
 * takes the last one only if it holds none. One workspace alone gets about two thirds of all slots, several get less
 * each, and the next one finds room. Waiting requests are served in turns, group by group, so a long queue delays only
 * its own workspace.
 */
export function fairPlaces({ places, waitMs, most = places }: PlacesOptions): Places {
  const held = new Map<string, number>()
  const waiting = takeTurns<Waiter>()
  const refuse = refuseCrowd('Too many requests are running; send this request again')
  let free = places

  const mayEnter = (group: string): boolean => {
    const own = held.get(group) ?? 0
    if (own === 0) return free > 0
    return free > 1 && own < HELD_PER_FREE * free && own < most
  }
  const take = (group: string) => {
    free -= 1
    held.set(group, (held.get(group) ?? 0) + 1)
  }
  const leave = (group: string) => {
    free += 1
    const own = (held.get(group) ?? 0) - 1
    if (own > 0) held.set(group, own)
    else held.delete(group)
    let next = waiting.groups().find(mayEnter)
    while (next !== undefined) {
      take(next)
      waiting.takeFirst(next)?.enter()
      next = free > 0 ? waiting.groups().find(mayEnter) : undefined
    }
  }
  const enter = (group: string): Promise<void> | undefined => {
    if (!waiting.has(group) && mayEnter(group)) {
      take(group)
      return undefined
    }
    return new Promise<void>((resolve, reject) => {
      const waiter: Waiter = {
        enter: () => {
          clearTimeout(timer)
          resolve()
        },
      }
      const timer = setTimeout(() => {
        waiting.remove(group, waiter)
        reject(refuse(group))
      }, waitMs)
      waiting.add(group, waiter)
    })
  }

  return {
    within: async (group, work) => {
      await enter(group)
      try {
        return await work()
      } finally {
        leave(group)
      }
    },
    waiting: () => waiting.size(),
  }
}

/**
 * A smaller pool uses every connection as a slot. A larger one reserves some for credential lookups and for the
 * workers.
 */
const SMALLEST_WITH_RESERVE = 4

export const placesOf = (poolSize: number): number =>
  poolSize < SMALLEST_WITH_RESERVE ? poolSize : poolSize - Math.max(1, Math.floor(poolSize / 8))

/**
 * How many large reads one workspace runs in a process at the same time. A few reports of years would take all processors of the
 * database from the tills of other workspaces.
 */
export const largeReadsOf = (poolSize: number): number => Math.max(1, Math.floor(placesOf(poolSize) / 8))
