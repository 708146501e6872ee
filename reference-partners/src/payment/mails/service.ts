import { ApiError, addMs, nameForMail, textOf } from 'kasir/partner-tools'
import type { Tx } from '../../kit/db.ts'
import type { Caller, Tools } from '../../kit/tools.ts'
import { lockWorkspace } from '../../kit/workspaces/store.ts'
import { newId } from '../ids.ts'
import { receiptPaper } from '../receipts/rows.ts'
import type { Receipt } from '../receipts/schema.ts'
import { countSince, insertMail } from './store.ts'

const DAY_MS = 86_400_000
/** Limits that stop the holder of a workspace key from flooding one mailbox or many. */
const MOST_OF_RECEIPT = 3
const MOST_OF_WORKSPACE = 100
const COLUMNS = 48

type ReceiptMail = { tools: Tools; caller: Caller; receipt: Receipt; email: string; now: string }

/** Stores the mail in the transaction of the request. It is sent after the commit. Throws 429 beyond the daily limit. */
export async function queueReceipt(tx: Tx, { tools, caller, receipt, email, now }: ReceiptMail) {
  const { workspaceId, name } = caller
  await lockWorkspace(tx, workspaceId)
  const sent = await countSince(tx, { workspaceId, receiptId: receipt.id, since: addMs(now, -DAY_MS) })
  if (sent.ofReceipt >= MOST_OF_RECEIPT || sent.total >= MOST_OF_WORKSPACE)
    throw new ApiError('RATE_LIMITED', 'Enough receipts were mailed today; try again tomorrow')
  // Names are untrusted: in a mail they must not contain a link.
  const merchant = nameForMail(name, 'Kasir')
  const description = receipt.description === null ? null : nameForMail(receipt.description, '-')
  await insertMail(tx, {
    id: newId('mail'),
    workspaceId,
    receiptId: receipt.id,
    recipient: email,
    subject: `Bukti pembayaran ${receipt.number}`,
    body: textOf(receiptPaper({ ...receipt, description }, merchant, 'id').rows, COLUMNS),
    now,
  })
  tx.afterCommit(tools.wake)
}
