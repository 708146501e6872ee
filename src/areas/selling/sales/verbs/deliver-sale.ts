import { conflict } from '../../../../core/errors.ts'
import { namedWrite, type Tx } from '../../../../platform/db/open.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { requireState } from '../rules/state.ts'
import { lockSale } from '../sale/load.ts'
import { STAMP_DELIVERY } from '../store/delivery.ts'

/**
 * Locks a sale that gets a shipment, until the transaction ends. 404 for an unknown one, naming `param` of the body;
 * 409 for a voided one.
 */
export async function lockSendable(tx: Tx, scope: Scope, saleId: string, param?: string): Promise<void> {
  requireState('dispatch', (await lockSale(tx, scope, saleId, param)).status)
}

/** Locks a sale of any status whose shipment changes; 404 for an unknown one. */
export async function lockDelivered(tx: Tx, scope: Scope, saleId: string): Promise<void> {
  await lockSale(tx, scope, saleId)
}

/** Locks a delivery that is not dispatched yet and returns its draft. 409 for any other sale. */
export async function lockDraft(tx: Tx, scope: Scope, saleId: string): Promise<unknown> {
  const { status, orderType, deliveryDraft } = await lockSale(tx, scope, saleId)
  requireState('dispatch', status)
  if (orderType !== 'DELIVERY') {
    throw conflict('Only a sale with orderType DELIVERY can be dispatched')
  }
  return deliveryDraft
}

/**
 * Stores the status of its shipment on the locked sale (B-delivery-8), unless the sale has another shipment now. The
 * version of the bill stays, because this is no edit.
 */
export async function stampDelivery(
  tx: Tx,
  scope: Scope,
  saleId: string,
  { shipmentId, status, isNew }: { shipmentId: string; status: string; isNew: boolean },
): Promise<void> {
  await namedWrite(tx, STAMP_DELIVERY, [scope.accountId, saleId, shipmentId, status, scope.now, isNew])
}
