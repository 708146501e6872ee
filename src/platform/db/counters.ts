import type { Scope } from '../scope.ts'
import { namedWrite, type Tx } from './open.ts'
import { writeStatement } from './statement.ts'

const NEXT = writeStatement(
  'counters_next',
  `insert into counters as c (account_id, name, value) values ($1, $2, 1)
    on conflict (account_id, name) do update set value = c.value + 1 returning value`,
)

/**
 * The next number of a running series of the workspace, from 1. Its row stays locked until the transaction ends, so
 * numbers rise in the order of commits and a rolled back one is given again; take it late.
 */
export async function nextNumber(tx: Tx, scope: Scope, series: string): Promise<number> {
  const [row] = await namedWrite<{ value: number }>(tx, NEXT, [scope.accountId, series])
  return row?.value ?? 1
}
