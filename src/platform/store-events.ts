import type { Tx } from './db/open.ts'
import { insertOwn } from './db/own-rows.ts'
import type { Scope } from './scope.ts'

type Row = { id: string; type: string; refId: string; body: string }

/** Events alone; what is to be delivered of them is queued beside (outbox.ts). */
export const insertEvents = (tx: Tx, scope: Scope, rows: readonly Row[], cause: string) =>
  insertOwn(
    tx,
    scope,
    'events',
    rows.map((row) => ({ ...row, cause, createdAt: scope.now })),
  ).execute()
