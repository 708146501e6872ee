import { addMs } from '../../core/time.ts'
import type { Tools } from './tools.ts'

const KEPT_MS = 30 * 86_400_000
/** What came before this instant is asked for by nobody any more. */
export const keptSince = (now: string): string => addMs(now, -KEPT_MS)

/** Removes keys of requests and notices thirty days after they came, those too that nobody ever took. */
export async function sweepShared({ db, now }: Tools) {
  const before = keptSince(now())
  await db.tx(async (tx) => {
    await tx.rows(`delete from ${tx.schema}.idempotency_keys where created_at < $1`, [before])
    await tx.rows(`delete from ${tx.schema}.notices where status <> 'pending' and created_at < $1`, [before])
    await tx.rows(`delete from ${tx.schema}.notices where status = 'pending' and due_at < $1`, [before])
  })
}
