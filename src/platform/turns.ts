/** Those who wait, in queues by group; the groups have their turns, so that a long queue delays only its own group. */
export type Turns<T> = {
  has(group: string): boolean
  /** Those in which somebody waits, in the order of their turns. */
  groups(): string[]
  /** Whoever waits already keeps their place. */
  add(group: string, one: T): void
  remove(group: string, one: T): void
  takeFirst(group: string): T | undefined
  /** Whoever is first in the group whose turn it is. */
  take(): T | undefined
}

export function takeTurns<T>(): Turns<T> {
  const queues = new Map<string, Set<T>>()
  const remove = (group: string, one: T) => {
    const queue = queues.get(group)
    queue?.delete(one)
    if (queue?.size === 0) queues.delete(group)
  }
  const takeFirst = (group: string): T | undefined => {
    const queue = queues.get(group)
    const [first] = queue ?? []
    if (!queue || first === undefined) return undefined
    // To the end of the map: every other group that waits has its turn first.
    queues.delete(group)
    queues.set(group, queue)
    remove(group, first)
    return first
  }
  return {
    has: (group) => queues.has(group),
    groups: () => [...queues.keys()],
    add: (group, one) => {
      const queue = queues.get(group)
      if (queue) queue.add(one)
      else queues.set(group, new Set([one]))
    },
    remove,
    takeFirst,
    take: () => {
      const { value: group } = queues.keys().next()
      return group === undefined ? undefined : takeFirst(group)
    },
  }
}
