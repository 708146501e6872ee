import type { AccountId } from '../scope.ts'
import type { Db } from './open.ts'

type Read<R> = (db: Db, accountId: AccountId, keys: string[]) => Promise<ReadonlyMap<string, R>>
type Batch<R> = {
  keys: Set<string>
  answer: Promise<ReadonlyMap<string, R>>
  begin(answer: Promise<ReadonlyMap<string, R>>): void
}

/**
 * The keys of a batch, for `= any`: as many as the planner likes to guess. Of a bare parameter it knows how many there
 * are, finds one key cheaper than the ten of a plan for all values, and plans the statement anew each time.
 */
export const anyOf = (parameter: `$${number}`) => `any(array(select unnest(${parameter}::text[])))`

/**
 * Lets callers that ask at the same time share one statement: those of one turn of the event loop do, and while a
 * statement is on its way, the keys that arrive wait for the next. A quiet caller waits for nobody, a crowd pays for
 * one round trip, and nobody is given an answer that was begun before the question. Never inside a transaction: its
 * view of the data is its own.
 */
export function batchReads<R>(read: Read<R>) {
  const shops = new WeakMap<Db, Map<AccountId, { next: Batch<R> | null }>>()

  const advance = (db: Db, accountId: AccountId, open: Map<AccountId, { next: Batch<R> | null }>) => {
    const state = open.get(accountId)
    const batch = state?.next
    if (!state || !batch) return void open.delete(accountId)
    state.next = null
    const answer = read(db, accountId, [...batch.keys])
    batch.begin(answer)
    void answer.catch(() => {}).then(() => later(db, accountId, open))
  }

  const later = (...args: Parameters<typeof advance>) => void setImmediate(advance, ...args)

  return async (db: Db, accountId: AccountId, key: string): Promise<R | undefined> => {
    const open = shops.get(db) ?? new Map<AccountId, { next: Batch<R> | null }>()
    shops.set(db, open)
    const state = open.get(accountId)
    const batch = state?.next ?? emptyBatch<R>()
    batch.keys.add(key)
    if (state) state.next = batch
    else {
      open.set(accountId, { next: batch })
      later(db, accountId, open)
    }
    return (await batch.answer).get(key)
  }
}

function emptyBatch<R>(): Batch<R> {
  let begin: Batch<R>['begin'] = () => {}
  const answer = new Promise<ReadonlyMap<string, R>>((resolve) => {
    begin = resolve
  })
  return { keys: new Set(), answer, begin }
}
