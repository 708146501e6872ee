import { named, type Tx } from './open.ts'
import { statement } from './statement.ts'

const SET = statement('savepoint_set', 'savepoint kasir')
const RELEASE = statement('savepoint_release', 'release savepoint kasir')
const UNDO = statement('savepoint_undo', 'rollback to savepoint kasir')

/**
 * Runs `work` so that its failure undoes its own statements only: the transaction can still be read, and the refusal
 * can say what was in the way. Deadlocks are left to the code that retries the whole transaction.
 */
export async function inSavepoint<T>(tx: Tx, work: () => Promise<T>): Promise<T> {
  await named(tx, SET, [])
  try {
    const value = await work()
    await named(tx, RELEASE, [])
    return value
  } catch (error) {
    await named(tx, UNDO, [])
    await named(tx, RELEASE, [])
    throw error
  }
}
