import { type Tx } from '../../../../platform/db/open.ts'
import type { Scope } from '../../../../platform/scope.ts'
import type { Refund } from '../sale/types.ts'

export async function insertRefund(tx: Tx, scope: Scope, refund: Refund) {
  const { lines, tenders, ...row } = refund
  const { accountId } = scope
  await tx
    .insertInto('refunds')
    .values({ accountId, ...row })
    .execute()
  if (lines.length > 0)
    await tx
      .insertInto('refundLines')
      .values(lines.map((line) => ({ accountId, ...line })))
      .execute()
  if (tenders.length > 0) {
    await tx
      .insertInto('refundTenders')
      .values(tenders.map((tender) => ({ accountId, ...tender })))
      .execute()
  }
}
