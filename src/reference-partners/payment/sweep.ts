import { keptSince } from '../kit/sweep.ts'
import type { Tools } from '../kit/tools.ts'

/** Removes mails that ended, thirty days after they came. */
export const sweepMails = ({ db, now }: Tools) =>
  db.rows('delete from reference_payment.mails where due_at is null and created_at < $1', [keptSince(now())])
