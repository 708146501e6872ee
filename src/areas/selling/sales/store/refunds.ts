import type { Tx } from '../../../../platform/db/open.ts'
import { insertOwn } from '../../../../platform/db/own-rows.ts'
import type { Scope } from '../../../../platform/scope.ts'
import type { Refund } from '../sale/types.ts'

export async function insertRefund(tx: Tx, scope: Scope, refund: Refund) {
  const { lines, tenders, taxes, ...row } = refund
  await insertOwn(tx, scope, 'refunds', { ...row, taxes: taxes && JSON.stringify(taxes) }).execute()
  if (lines.length > 0) await insertOwn(tx, scope, 'refundLines', lines).execute()
  if (tenders.length > 0) await insertOwn(tx, scope, 'refundTenders', tenders).execute()
}
