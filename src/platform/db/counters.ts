import type pg from 'pg'
import type { Scope } from '../scope.ts'
import { namedWrite, type Tx } from './open.ts'
import { writeStatement } from './statement.ts'

const NEXT = writeStatement(
  'counters_next',
  `insert into counters as c (account_id, name, value) values ($1, $2, 1)
    on conflict (account_id, name) do update set value = c.value + 1 returning value`,
)

/**
 * Returns the next number of a series of the workspace, from 1. Its row stays locked until the transaction ends:
 * numbers rise in commit order, and a rolled-back number is used again. Call it late in the transaction.
 */
export async function nextNumber(tx: Tx, scope: Scope, series: string): Promise<number> {
  const [row] = await namedWrite<{ value: number }>(tx, NEXT, [scope.accountId, series])
  return row?.value ?? 1
}

/** Leaves out so many numbers of every series of every workspace. */
export async function skipCounters(client: pg.ClientBase, count: number): Promise<void> {
  await client.query('update counters set value = value + $1', [count])
}
