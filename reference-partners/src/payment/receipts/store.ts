import type { Db } from '../../kit/db.ts'
import type { Receipt } from './schema.ts'

const COLUMNS = `r.id, r.number, r.payment_id, p.session_id, p.amount, p.currency, p.method, p.description, r.issued_at`
const FROM = `reference_payment.receipts r
  join reference_payment.payments p on p.workspace_id = r.workspace_id and p.id = r.payment_id`

export const findReceipt = async (db: Db, workspaceId: string, id: string): Promise<Receipt | undefined> =>
  (
    await db.rows<Receipt>(`select ${COLUMNS} from ${FROM} where r.workspace_id = $1 and r.id = $2`, [
      workspaceId,
      id,
    ])
  )[0]

export const listReceipts = (db: Db, workspaceId: string, after: string | null, limit: number) =>
  db.rows<Receipt>(
    `select ${COLUMNS} from ${FROM} where r.workspace_id = $1 and ($2::text is null or r.id < $2)
      order by r.id desc limit $3`,
    [workspaceId, after, limit],
  )
