import type { Route } from '../../../platform/http/route.ts'
import { type ForwardedRoute, forwardedRow } from '../forwarding/index.ts'

/** All routes that are forwarded to the fulfillment partner: the name, and the path after the partner's /v1. */
const FORWARDED: readonly ForwardedRoute[] = [
  ['fulfillmentShipments.list', 'GET', '/shipments', 'page', 'List shipments of the fulfillment partner'],
  [
    'fulfillmentShipments.create',
    'POST',
    '/shipments',
    'one',
    'Create a shipment at the fulfillment partner',
  ],
  ['fulfillmentShipments.get', 'GET', '/shipments/{id}', 'one', 'Read a shipment of the fulfillment partner'],
  ['fulfillmentShipments.getLabel', 'GET', '/shipments/{id}/label', 'pdf', 'Get the label of a parcel'],
  [
    'fulfillmentShipments.confirmPickup',
    'POST',
    '/shipments/{id}/confirm-pickup',
    'one',
    'Book the courier at the fulfillment partner',
  ],
  [
    'fulfillmentShipments.cancel',
    'POST',
    '/shipments/{id}/cancel',
    'one',
    'Cancel a shipment at the fulfillment partner',
  ],
  ['shipping.getOrigin', 'GET', '/shipping/origin', 'one', 'Read the place where couriers pick up parcels'],
  ['shipping.updateOrigin', 'PATCH', '/shipping/origin', 'one', 'Set the place where couriers fetch parcels'],
  ['shipping.listCouriers', 'GET', '/shipping/couriers', 'one', 'List couriers of the fulfillment partner'],
  ['shipping.quote', 'POST', '/shipping/rates', 'one', 'List the prices of couriers for a parcel'],
  ['shippingCredits.get', 'GET', '/shipping-credits', 'one', 'Read the balance of shipping credits'],
  [
    'shippingCredits.listTransactions',
    'GET',
    '/shipping-credits/transactions',
    'page',
    'List added and spent shipping credits',
  ],
  ['shippingCredits.topUp', 'POST', '/shipping-credits/topup', 'one', 'Add shipping credits'],
  ['warehouses.list', 'GET', '/warehouses', 'page', 'List warehouses'],
  ['warehouses.create', 'POST', '/warehouses', 'one', 'Create a warehouse'],
  ['warehouses.get', 'GET', '/warehouses/{id}', 'one', 'Read a warehouse'],
  ['warehouses.update', 'PATCH', '/warehouses/{id}', 'one', 'Change a warehouse'],
  ['warehouses.delete', 'DELETE', '/warehouses/{id}', 'one', 'Delete a warehouse'],
  ['fulfillmentStock.listProducts', 'GET', '/inventory/products', 'page', 'List products in warehouses'],
  ['fulfillmentStock.listLevels', 'GET', '/inventory/stock', 'page', 'List stock levels of warehouses'],
  [
    'fulfillmentStock.listMovements',
    'GET',
    '/inventory/movements',
    'page',
    'List stock movements of warehouses',
  ],
  ['fulfillmentStock.adjust', 'POST', '/inventory/adjust', 'one', 'Correct a stock level of a warehouse'],
  ['licenses.list', 'GET', '/licenses', 'page', 'List licenses'],
  ['licenses.create', 'POST', '/licenses', 'one', 'Create a license'],
  ['licenses.validate', 'POST', '/licenses/validate', 'one', 'Check whether a license is valid'],
]

/** An assistant may change warehouses, which are configuration. Parcels, stock and money are closed to assistants. */
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
