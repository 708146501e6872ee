import { addMs } from '../../core/time.ts'
import type { Tools } from './tools.ts'

const KEPT_MS = 30 * 86_400_000

/**
 * Removes what nobody asks for any more: keys of requests, notices and mails that ended, thirty days after they
 * came.
 */
export async function sweep({ db, now }: Tools) {
  const before = addMs(now(), -KEPT_MS)
  await db.tx(async (tx) => {
    await tx.rows('delete from reference_payment.idempotency_keys where created_at < $1', [before])
    await tx.rows('delete from reference_payment.mails where due_at is null and created_at < $1', [before])
    await tx.rows(`delete from reference_payment.notices where status <> 'pending' and created_at < $1`, [
      before,
    ])
  })
}
