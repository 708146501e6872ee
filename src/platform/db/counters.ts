import { sql } from 'kysely'
import type { Scope } from '../scope.ts'
import type { Tx } from './open.ts'

/**
 * The next number of a running series of the workspace, from 1. Its row stays locked until the transaction ends, so
 * numbers rise in the order of commits and a rolled back one is given again; take it late.
 */
export async function nextNumber(tx: Tx, scope: Scope, series: string): Promise<number> {
  const { rows } = await sql<{ value: number }>`
    insert into counters as c (account_id, name, value) values (${scope.accountId}, ${series}, 1)
    on conflict (account_id, name) do update set value = c.value + 1 returning value`.execute(tx)
  return rows[0]?.value ?? 1
}
