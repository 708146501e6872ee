import { named, type Tx } from './open.ts'
import { statement } from './statement.ts'

const SET = statement('savepoint_set', 'savepoint kasir')
const RELEASE = statement('savepoint_release', 'release savepoint kasir')
const UNDO = statement('savepoint_undo', 'rollback to savepoint kasir')

/**
 * Runs `work` in a savepoint. If it fails, only its own statements are undone: the transaction stays readable, so the
 * refusal can name the obstacle. Deadlocks are left to the code that retries the whole transaction.
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
