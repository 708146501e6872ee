import { type Tx } from '../../../../platform/db/open.ts'
import { ownRows } from '../../../../platform/db/own-rows.ts'
import type { Scope } from '../../../../platform/scope.ts'

/** A PENDING payment of another sale with this reference; two sales must not wait for one payment (B-payment-7). */
export async function isPendingElsewhere(
  tx: Tx,
  scope: Scope,
  providerRef: string,
  saleId: string,
): Promise<boolean> {
  const row = await ownRows(tx, scope, 'payments')
    .select('id')
    .where('providerRef', '=', providerRef)
    .where('status', '=', 'PENDING')
    .where('saleId', '<>', saleId)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
