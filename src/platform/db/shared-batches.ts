/** Entries of one statement; `waits` if it may wait for locks. */
export type SharedBatch<W> = { entries: readonly W[]; waits: boolean }

type Group<W> = {
  waiting: W[]
  running: number
  /** Whether one of its running statements may wait for locks. */
  isBlocking: boolean
  /** Some of its entries were busy: its next statement is its own and may wait. */
  hasBusy: boolean
  /** Its statement has run for too long: another one may go beside it, which waits for no lock. */
  mayOvertake: boolean
  patience: NodeJS.Timeout | null
}

const MOST_OF_ONE_GROUP = 5
/** Entries of one statement. */
const TOGETHER = 32
/** Entries of one group beside others, or beside its own statement: one busy group must not make the statement long for all. */
const BESIDE_OTHERS = 8

/**
 * Decides which waiting entries share the next statement. If two entries of a group have a key in common, the
 * second goes in a later statement.
 */
export function sharedBatches<W extends { group: string }>(keysOf: (entry: W) => readonly string[]) {
  /** The groups in the order of their turns. */
  const groups = new Map<string, Group<W>>()

  const groupOf = (name: string): Group<W> => {
    const group = groups.get(name) ?? newGroup<W>()
    groups.set(name, group)
    return group
  }

  const begin = (batch: SharedBatch<W>) => {
    for (const name of namesOf(batch)) {
      const group = groupOf(name)
      group.running += 1
      group.isBlocking ||= batch.waits
      if (batch.waits) group.hasBusy = false
      resetPatience(group)
      // Its next turn comes after that of the others.
      groups.delete(name)
      groups.set(name, group)
    }
    return batch
  }

  return {
    add: (entry: W) => void groupOf(entry.group).waiting.push(entry),

    /** Takes an entry out of its queue. False if it is in a statement. */
    remove: (entry: W): boolean => {
      const group = groups.get(entry.group)
      const at = group?.waiting.indexOf(entry) ?? -1
      if (!group || at < 0) return false
      group.waiting.splice(at, 1)
      dropIdle(groups, entry.group)
      return true
    },

    waitingOf: (name: string) => groups.get(name)?.waiting.length ?? 0,

    /** Begins the next statement: of one group that has to wait, or of all others that are ready. Null if none is. */
    next: (): SharedBatch<W> | null => {
      const ready = [...groups.values()].filter(isReady)
      const [first] = ready
      if (!first) return null
      const chosen = mustWait(first) ? [first] : ready.filter((group) => !mustWait(group))
      const waits = chosen.length === 1 && !first.isBlocking
      return begin({ entries: takeInTurn(chosen, keysOf), waits })
    },

    /** Ends a statement; what was busy is first in the next one of its group. */
    end: (batch: SharedBatch<W>, busy: readonly W[]) => {
      for (const name of namesOf(batch)) {
        const group = groupOf(name)
        const own = busy.filter((entry) => entry.group === name)
        group.waiting.unshift(...own)
        group.hasBusy ||= own.length > 0
        group.running -= 1
        if (batch.waits || group.running === 0) group.isBlocking = false
        dropIdle(groups, name)
      }
    },

    watch: (patienceMs: number, overtakes: () => void) => {
      for (const group of groups.values()) watchGroup(group, patienceMs, overtakes)
    },
  }
}

/** Lets entries that have waited for too long behind a statement of their group run beside it, and reports it. */
function watchGroup(group: Group<unknown>, patienceMs: number, overtakes: () => void) {
  const isBehind = group.waiting.length > 0 && group.running > 0 && !group.mayOvertake
  if (!isBehind || group.patience) return
  group.patience = setTimeout(() => {
    group.patience = null
    group.mayOvertake = true
    overtakes()
  }, patienceMs)
}

const newGroup = <W>(): Group<W> => ({
  waiting: [],
  running: 0,
  isBlocking: false,
  hasBusy: false,
  mayOvertake: false,
  patience: null,
})

const namesOf = ({ entries }: SharedBatch<{ group: string }>) => new Set(entries.map(({ group }) => group))

const isReady = ({ waiting, running, mayOvertake }: Group<unknown>) =>
  waiting.length > 0 && (running === 0 || (mayOvertake && running < MOST_OF_ONE_GROUP))

const mustWait = ({ hasBusy, isBlocking }: Group<unknown>) => hasBusy && !isBlocking

/** Forgets a group of which nothing waits or runs. */
function dropIdle(groups: Map<string, Group<unknown>>, name: string) {
  const group = groups.get(name)
  if (!group || group.waiting.length > 0 || group.running > 0) return
  resetPatience(group)
  groups.delete(name)
}

/** Resets the waiting time of the entries behind the statement that now begins. */
function resetPatience(group: Group<unknown>) {
  if (group.patience) clearTimeout(group.patience)
  group.patience = null
  group.mayOvertake = false
}

function takeInTurn<W>(chosen: readonly Group<W>[], keysOf: (entry: W) => readonly string[]): W[] {
  const queues = chosen.map((group) => withoutTwins(group.waiting, keysOf))
  const isBeside = chosen.length > 1 || chosen.some(({ isBlocking }) => isBlocking)
  const share = isBeside ? BESIDE_OTHERS : TOGETHER
  const taken = new Set<W>()
  for (let turn = 0; turn < share; turn += 1)
    for (const queue of queues) {
      const entry = taken.size < TOGETHER ? queue[turn] : undefined
      if (entry) taken.add(entry)
    }
  for (const group of chosen) group.waiting = group.waiting.filter((entry) => !taken.has(entry))
  return [...taken]
}

/** The first entries of a queue that may share a statement: no two with a key in common. */
function withoutTwins<W>(waiting: readonly W[], keysOf: (entry: W) => readonly string[]): W[] {
  const keys = new Set<string>()
  const entries: W[] = []
  for (const entry of waiting) {
    const own = keysOf(entry)
    if (own.some((key) => keys.has(key))) continue
    for (const key of own) keys.add(key)
    entries.push(entry)
    if (entries.length === TOGETHER) break
  }
  return entries
}
