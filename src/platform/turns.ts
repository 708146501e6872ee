/** A fair queue: waiters queue per group, and the groups take turns. A long queue delays only its own group. */
export type Turns<T> = {
  /** The number of waiters, in all groups or in one. */
  size(group?: string): number
  has(group: string): boolean
  /** Groups with waiters, in the order of their turns. */
  groups(): string[]
  /** Existing waiters keep their place. */
  add(group: string, one: T): void
  remove(group: string, one: T): void
  takeFirst(group: string): T | undefined
  /** The first waiter of the group whose turn it is. */
  take(): T | undefined
}

export function takeTurns<T>(): Turns<T> {
  const queues = new Map<string, Set<T>>()
  let size = 0
  const remove = (group: string, one: T) => {
    const queue = queues.get(group)
    if (queue?.delete(one)) size -= 1
    if (queue?.size === 0) queues.delete(group)
  }
  const takeFirst = (group: string): T | undefined => {
    const queue = queues.get(group)
    const [first] = queue ?? []
    if (!queue || first === undefined) return undefined
    // Moves the group to the end of the map: every other waiting group has its turn first.
    queues.delete(group)
    queues.set(group, queue)
    remove(group, first)
    return first
  }
  return {
    size: (group) => (group === undefined ? size : (queues.get(group)?.size ?? 0)),
    has: (group) => queues.has(group),
    groups: () => [...queues.keys()],
    add: (group, one) => {
      const queue = queues.get(group) ?? new Set()
      if (!queue.has(one)) size += 1
      queues.set(group, queue.add(one))
    },
    remove,
    takeFirst,
    take: () => {
      const { value: group } = queues.keys().next()
      return group === undefined ? undefined : takeFirst(group)
    },
  }
}
