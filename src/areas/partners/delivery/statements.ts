import { named, type WriteDb } from '../../../platform/db/open.ts'
import { statement } from '../../../platform/db/statement.ts'
import { dueInTurns } from '../../../platform/db/turns.ts'
import type { AccountId } from '../../../platform/scope.ts'
import { askReachable } from '../../../platform/sharding/holders.ts'

const DUE_SHIPMENTS = statement('delivery_due_shipments', dueInTurns('shipments', 'check_at'))
const LEFT_REQUESTS = statement(
  'delivery_left_requests',
  dueInTurns('shipment_requests', 'claimed_until', 'account_id <> all($4::text[])'),
)

type ShipmentKey = { accountId: AccountId; id: string }

/** Lists shipments of all workspaces whose check at the partner is due. */
export const listDue = (db: WriteDb, now: string, limit: number) =>
  askReachable(db, { table: 'shipments', where: 'check_at <= $1', values: [now] }, (of) =>
    named<ShipmentKey>(db, DUE_SHIPMENTS, [now, limit, of]),
  )

/** Lists requests of all workspaces, except the `paused` ones, without activity since `before`. */
export const listLeft = (db: WriteDb, before: string, limit: number, paused: readonly string[]) =>
  askReachable(db, { table: 'shipmentRequests', where: 'claimed_until <= $1', values: [before] }, (of) =>
    named<ShipmentKey>(db, LEFT_REQUESTS, [before, limit, of, paused]),
  )
