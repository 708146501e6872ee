import type { Route } from '../../../platform/http/route.ts'
import { type Forwarded, forwardedRow } from '../forwarding/index.ts'

/** Every route that is handed on to the fulfilment partner: its name, and the same path behind the partner's /v1. */
const FORWARDED: readonly Forwarded[] = [
  ['fulfillmentShipments.list', 'GET', '/shipments', 'page', 'List shipments of the fulfilment partner'],
  ['fulfillmentShipments.create', 'POST', '/shipments', 'one', 'Create a shipment at the fulfilment partner'],
  ['fulfillmentShipments.get', 'GET', '/shipments/{id}', 'one', 'Read a shipment of the fulfilment partner'],
  ['fulfillmentShipments.getLabel', 'GET', '/shipments/{id}/label', 'pdf', 'The label of a parcel'],
  [
    'fulfillmentShipments.confirmPickup',
    'POST',
    '/shipments/{id}/confirm-pickup',
    'one',
    'Book the courier at the fulfilment partner',
  ],
  [
    'fulfillmentShipments.cancel',
    'POST',
    '/shipments/{id}/cancel',
    'one',
    'Cancel a shipment at the fulfilment partner',
  ],
  ['shipping.getOrigin', 'GET', '/shipping/origin', 'one', 'Where couriers fetch parcels'],
  ['shipping.updateOrigin', 'PATCH', '/shipping/origin', 'one', 'Say where couriers fetch parcels'],
  ['shipping.listCouriers', 'GET', '/shipping/couriers', 'one', 'Couriers of the fulfilment partner'],
  ['shipping.quote', 'POST', '/shipping/rates', 'one', 'What couriers ask for a parcel'],
  ['shippingCredits.get', 'GET', '/shipping-credits', 'one', 'What is left to ship with'],
  [
    'shippingCredits.listTransactions',
    'GET',
    '/shipping-credits/transactions',
    'page',
    'What shipping credits were added and spent',
  ],
  ['shippingCredits.topUp', 'POST', '/shipping-credits/topup', 'one', 'Add shipping credits'],
  ['warehouses.list', 'GET', '/warehouses', 'page', 'List warehouses'],
  ['warehouses.create', 'POST', '/warehouses', 'one', 'Create a warehouse'],
  ['warehouses.get', 'GET', '/warehouses/{id}', 'one', 'Read a warehouse'],
  ['warehouses.update', 'PATCH', '/warehouses/{id}', 'one', 'Change a warehouse'],
  ['warehouses.delete', 'DELETE', '/warehouses/{id}', 'one', 'Delete a warehouse'],
  ['fulfillmentStock.listProducts', 'GET', '/inventory/products', 'page', 'Products kept in warehouses'],
  ['fulfillmentStock.listLevels', 'GET', '/inventory/stock', 'page', 'What each warehouse holds'],
  [
    'fulfillmentStock.listMovements',
    'GET',
    '/inventory/movements',
    'page',
    'What moved in and out of warehouses',
  ],
  ['fulfillmentStock.adjust', 'POST', '/inventory/adjust', 'one', 'Correct what a warehouse holds'],
  ['licenses.list', 'GET', '/licenses', 'page', 'List licenses'],
  ['licenses.create', 'POST', '/licenses', 'one', 'Create a license'],
  ['licenses.validate', 'POST', '/licenses/validate', 'one', 'Ask whether a license holds'],
]

/** Where a workspace keeps its goods is configuration, which an assistant may write; parcels, stock and money are not. */
const CONFIGURATION = '/warehouses'

export const fulfillmentRoutes: readonly Route[] = FORWARDED.map((row) =>
  forwardedRow(
    {
      module: 'fulfillment',
      area: 'fulfillment',
      delegation: (method, path) => {
        if (method === 'GET') return 'read'
        return path.startsWith(CONFIGURATION) ? 'write' : 'books'
      },
      role: (method) => (method === 'GET' ? 'CASHIER' : 'MANAGER'),
    },
    row,
  ),
)
