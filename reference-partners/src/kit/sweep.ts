import { addMs } from 'kasir/partner-tools'
import type { Tools } from './tools.ts'

const KEPT_MS = 30 * 86_400_000
/** Records from before this instant are no longer needed. */
export const retentionStart = (now: string): string => addMs(now, -KEPT_MS)

/** Removes idempotency keys and notices after thirty days, including notices that were never delivered. */
export async function sweepShared({ db, now, requireTrustedClock }: Tools) {
  const before = retentionStart(now())
  await requireTrustedClock()
  await db.tx(async (tx) => {
    await tx.rows(`delete from ${tx.schema}.idempotency_keys where created_at < $1`, [before])
    await tx.rows(`delete from ${tx.schema}.notices where status <> 'pending' and created_at < $1`, [before])
    await tx.rows(`delete from ${tx.schema}.notices where status = 'pending' and due_at < $1`, [before])
  })
}
