import { addMs, removeOldMails } from 'kasir/partner-tools'
import { retentionStart } from '../kit/sweep.ts'
import type { Tools } from '../kit/tools.ts'
import { sweepSessions } from './sessions/store.ts'

const UNPAID_MS = 90 * 86_400_000

/** Removes mails thirty days after they came, once they have ended, and sessions ninety days after they ended unpaid. */
export async function sweepEnded({ db, now, requireTrustedClock }: Tools, mailFolder: string) {
  const at = now()
  await requireTrustedClock()
  await db.rows('delete from reference_payment.mails where due_at is null and created_at < $1', [
    retentionStart(at),
  ])
  await sweepSessions(db, addMs(at, -UNPAID_MS))
  await removeOldMails(mailFolder, at)
}
