import { rowsInsert } from '../db/insert-rows.ts'
import type { Tx } from '../db/open.ts'
import type { Scope } from '../scope.ts'

type StoredEvent = { id: string; type: string; refId: string; body: string }

const insertRows = rowsInsert<StoredEvent>({
  name: 'events_insert',
  into: 'events',
  shared: { cause: 'text', created_at: 'timestamptz' },
  columns: { id: 'text', type: 'text', ref_id: 'text', body: 'text' },
})

/** Inserts only the events; outbox.ts queues their deliveries separately. */
export const insertEvents = (tx: Tx, scope: Scope, rows: readonly StoredEvent[], cause: string) =>
  insertRows(tx, scope, rows, { cause, createdAt: scope.now })
