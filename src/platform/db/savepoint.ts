import { sql } from 'kysely'
import type { Tx } from './open.ts'

/**
 * Runs `work` so that its failure undoes its own statements only: the transaction can still be read, and the refusal
 * can say what was in the way. Deadlocks are left to the code that retries the whole transaction.
 */
export async function inSavepoint<T>(tx: Tx, work: () => Promise<T>): Promise<T> {
  await sql`savepoint kasir`.execute(tx)
  try {
    const value = await work()
    await sql`release savepoint kasir`.execute(tx)
    return value
  } catch (error) {
    await sql`rollback to savepoint kasir`.execute(tx)
    await sql`release savepoint kasir`.execute(tx)
    throw error
  }
}
