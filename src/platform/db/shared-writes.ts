import { isOutcomeUnknown, outcomeUnknown } from './pg-errors.ts'

/** Runs what needs the database once the workspace has a place for it. */
type Within = <T>(work: () => Promise<T>) => Promise<T>

type Waiting<E, R> = {
  entry: E
  within: Within
  settle(answer: R): void
  fail(error: unknown): void
}
type Group<E, R> = {
  waiting: Waiting<E, R>[]
  running: number
  isDue: boolean
  patience: NodeJS.Timeout | null
}

export type SharedWrites<E, R> = {
  /** Writes several at once, none, some or all of them, and answers for each in order; null where it wrote nothing at all. */
  write(entries: readonly E[]): Promise<readonly R[] | null>
  /** Of two entries with one key the second waits for another statement. */
  keyOf(entry: E): string | null
  /** Answers one that came when too many waited. */
  refuse(): Error
  /** How many of a group may wait. */
  most?: number
}

/** Statements of one group that are on their way at once. */
const LANES = 1
/** One that waits for a lock must not hold up what does not need it: so long after it another one goes. */
const PATIENCE_MS = 30
const MOST_LANES = 5
/** In one statement: most is won at eight. */
const TOGETHER = 32
const MOST_WAITING = 1_000

/**
 * Lets writers of one group that come while a statement is on its way share the next one: one wait for a hot row and one
 * commit then serve them all. Who is alone waits for nobody. A statement that fails is sent again for each of its
 * entries by itself, so that none fails for another; one whose outcome is unknown is unknown for all.
 */
export function sharedWrites<E, R>({ write, keyOf, refuse, most = MOST_WAITING }: SharedWrites<E, R>) {
  const groups = new Map<string, Group<E, R>>()

  const alone = async (one: Waiting<E, R>) => {
    try {
      const answers = await one.within(() => write([one.entry]))
      one.settle((answers?.[0] ?? null) as R)
    } catch (error) {
      one.fail(error)
    }
  }

  const together = async (batch: readonly Waiting<E, R>[]) => {
    const [first] = batch
    if (!first) return
    if (batch.length === 1) return alone(first)
    try {
      const answers = await first.within(() => write(batch.map(({ entry }) => entry)))
      if (answers === null) return void (await Promise.all(batch.map(alone)))
      batch.forEach((one, index) => {
        one.settle(answers[index] as R)
      })
    } catch (error) {
      if (!isOutcomeUnknown(error)) return void (await Promise.all(batch.map(alone)))
      for (const one of batch) one.fail(outcomeUnknown(error.cause))
    }
  }

  const pump = (name: string, group: Group<E, R>, lanes: number) => {
    group.isDue = false
    if (group.waiting.length > 0 && group.running < lanes) {
      group.running += 1
      void together(takeFrom(group, keyOf)).finally(() => {
        group.running -= 1
        pump(name, group, LANES)
      })
    }
    if (group.patience) clearTimeout(group.patience)
    group.patience = null
    if (group.waiting.length > 0) lookAgain(name, group)
    else if (group.running === 0) groups.delete(name)
  }

  const lookAgain = (name: string, group: Group<E, R>) => {
    group.patience ??= setTimeout(() => {
      group.patience = null
      pump(name, group, Math.min(group.running + 1, MOST_LANES))
    }, PATIENCE_MS)
  }

  return (name: string, within: Within, entry: E): Promise<R> =>
    new Promise<R>((settle, fail) => {
      const group = groups.get(name) ?? { waiting: [], running: 0, isDue: false, patience: null }
      groups.set(name, group)
      if (group.waiting.length >= most) return fail(refuse())
      group.waiting.push({ entry, within, settle, fail })
      if (group.running > 0) lookAgain(name, group)
      if (group.isDue || group.running > 0) return
      group.isDue = true
      // Those of one turn of the event loop go together.
      setImmediate(pump, name, group, LANES)
    })
}

/** The next statement of the group, in the order they came; who does not fit stays. */
function takeFrom<E, R>(group: Group<E, R>, keyOf: SharedWrites<E, R>['keyOf']): Waiting<E, R>[] {
  const keys = new Set<string>()
  const taken: Waiting<E, R>[] = []
  group.waiting = group.waiting.filter((one) => {
    const key = keyOf(one.entry)
    if (taken.length === TOGETHER || (key !== null && keys.has(key))) return true
    if (key !== null) keys.add(key)
    taken.push(one)
    return false
  })
  return taken
}
