import { named, type WriteDb } from '../../../platform/db/open.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { AccountId } from '../../../platform/scope.ts'
import { askReachable } from '../../../platform/sharding/holders.ts'

/**
 * Selects rows of all workspaces, or of $3, that are due by $1, but none of $4. Workspaces take turns, so that the rows of one delay
 * no others; of a workspace the longest overdue is first.
 */
const inTurns = (table: string, column: string) => `
  select account_id as "accountId", id from (
    select account_id, id, ${column} as due_at, row_number() over (partition by account_id order by ${column}) as turn
      from ${table} where ${column} <= $1 and ($3::text[] is null or account_id = any($3))
        and account_id <> all($4::text[])) due
    order by turn, due_at limit $2`
const DUE_SHIPMENTS = statement('delivery_due_shipments', inTurns('shipments', 'check_at'))
const LEFT_REQUESTS = statement('delivery_left_requests', inTurns('shipment_requests', 'claimed_until'))

type ShipmentKey = { accountId: AccountId; id: string }

/** Lists shipments of all workspaces whose check at the partner is due. */
export const listDue = (db: WriteDb, now: string, limit: number) =>
  askReachable(db, { table: 'shipments', where: 'check_at <= $1', values: [now] }, (of) =>
    named<ShipmentKey>(db, DUE_SHIPMENTS, [now, limit, of, []]),
  )

/** Lists requests of all workspaces, except the `paused` ones, without activity since `before`. */
export const listLeft = (db: WriteDb, before: string, limit: number, paused: readonly string[]) =>
  askReachable(db, { table: 'shipmentRequests', where: 'claimed_until <= $1', values: [before] }, (of) =>
    named<ShipmentKey>(db, LEFT_REQUESTS, [before, limit, of, paused]),
  )
