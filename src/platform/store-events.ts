import { rowsInsert } from './db/insert-rows.ts'
import type { Tx } from './db/open.ts'
import type { Scope } from './scope.ts'

type Row = { id: string; type: string; refId: string; body: string }

const insertRows = rowsInsert<Row>({
  name: 'events_insert',
  into: 'events',
  shared: { cause: 'text', created_at: 'timestamptz' },
  columns: { id: 'text', type: 'text', ref_id: 'text', body: 'text' },
})

/** Events alone; what is to be delivered of them is queued beside (outbox.ts). */
export const insertEvents = (tx: Tx, scope: Scope, rows: readonly Row[], cause: string) =>
  insertRows(tx, scope, rows, { cause, createdAt: scope.now })
