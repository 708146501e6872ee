import type { AccountId } from '../scope.ts'
import { type Db, isSharded } from './open.ts'
import { type Statement, statement } from './statement.ts'

type BatchReader<R> = (db: Db, accountId: AccountId, keys: string[]) => Promise<ReadonlyMap<string, R>>
type Batch<R> = {
  keys: Set<string>
  answer: Promise<ReadonlyMap<string, R>>
  begin(answer: Promise<ReadonlyMap<string, R>>): void
}

/**
 * Matches any key of a batch. The subquery hides the number of keys, so PostgreSQL keeps one generic plan. From a bare
 * array parameter the planner learns that number: a plan for one key looks cheaper than the generic plan for ten, and
 * it plans the statement anew each time.
 */
export const anyOf = (parameter: `$${number}`) => `any(array(select unnest(${parameter}::text[])))`

/** The two variants of a batch statement; `formOf` picks one. */
export type BatchStatement = { readonly plain: Statement; readonly spread: Statement }

/**
 * Declares a batch statement. `textOf` receives the SQL that its keys, $2, are compared with. A sharded database plans
 * every statement anew, and takes a fast path for one table without a subquery.
 */
export const batchStatement = (name: string, textOf: (keys: string) => string): BatchStatement => ({
  plain: statement(name, textOf(anyOf('$2'))),
  spread: statement(`${name}_spread`, textOf('any($2::text[])')),
})
export const formOf = (db: Db, { plain, spread }: BatchStatement): Statement =>
  isSharded(db) ? spread : plain

/**
 * Lets callers that ask at the same time share one statement. Calls of one turn of the event loop are one batch; keys
 * that arrive while a statement runs wait for the next. A single caller does not wait, many callers pay for one round
 * trip, and no caller gets an answer read before its call. Never use it inside a transaction, which has its own
 * snapshot.
 */
export function batchReads<R>(read: BatchReader<R>) {
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
