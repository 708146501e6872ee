import type { AccountId } from '../scope.ts'
import { type Db, isSharded } from './open.ts'
import { type Statement, statement } from './statement.ts'

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

/** The two forms of a statement that many share (`formOf`). */
export type BatchStatement = { readonly plain: Statement; readonly spread: Statement }

/**
 * Declares the statement of a batch from a text that is given what its keys, $2, are compared with. Where rows are spread over
 * workers a statement is planned anew each time, and one table without a query inside goes there the short way.
 */
export const batchStatement = (name: string, textOf: (keys: string) => string): BatchStatement => ({
  plain: statement(name, textOf(anyOf('$2'))),
  spread: statement(`${name}_spread`, textOf('any($2::text[])')),
})
export const formOf = (db: Db, { plain, spread }: BatchStatement): Statement =>
  isSharded(db) ? spread : plain

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
