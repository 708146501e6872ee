import { conflict } from '../../../../core/errors.ts'
import { namedWrite, type Tx } from '../../../../platform/db/open.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { requireState } from '../rules/state.ts'
import { lockSale } from '../sale/load.ts'
import { STAMP_DELIVERY } from '../store/delivery.ts'

/**
 * Holds a sale that a shipment is to bring, until the transaction ends. 404 for an unknown one, naming `param` of the body;
 * 409 for a voided one.
 */
export async function lockSendable(tx: Tx, scope: Scope, saleId: string, param?: string): Promise<void> {
  requireState('dispatch', (await lockSale(tx, scope, saleId, param)).status)
}

/** Holds a sale whose shipment changes, whatever became of the sale; 404 for an unknown one. */
export async function lockDelivered(tx: Tx, scope: Scope, saleId: string): Promise<void> {
  await lockSale(tx, scope, saleId)
}

/** The same for a delivery that waits to be dispatched: answers its draft. 409 for any other sale. */
export async function lockDraft(tx: Tx, scope: Scope, saleId: string): Promise<unknown> {
  const { status, orderType, deliveryDraft } = await lockSale(tx, scope, saleId)
  requireState('dispatch', status)
  if (orderType !== 'DELIVERY') {
    throw conflict('This sale is no delivery: only one of orderType DELIVERY is dispatched')
  }
  return deliveryDraft
}

/**
 * Says on the sale where its shipment is (B-delivery-8); one that is not the sale's own any more says nothing. It is no edit
 * of the bill, so its version stays. The sale is held already.
 */
export async function stampDelivery(
  tx: Tx,
  scope: Scope,
  saleId: string,
  { shipmentId, status, isNew }: { shipmentId: string; status: string; isNew: boolean },
): Promise<void> {
  await namedWrite(tx, STAMP_DELIVERY, [scope.accountId, saleId, shipmentId, status, scope.now, isNew])
}
