import type { Route } from '../../../platform/http/route.ts'
import { type ForwardedRoute, forwardedRow } from '../forwarding/index.ts'

/** All routes that are forwarded to the payment partner: the name, and the path after the partner's /v1. */
const FORWARDED: readonly ForwardedRoute[] = [
  ['checkoutSessions.list', 'GET', '/checkout-sessions', 'page', 'List checkout sessions, newest first'],
  ['checkoutSessions.create', 'POST', '/checkout-sessions', 'one', 'Open a checkout session'],
  ['checkoutSessions.get', 'GET', '/checkout-sessions/{id}', 'one', 'Read a checkout session'],
  [
    'checkoutSessions.confirm',
    'POST',
    '/checkout-sessions/{id}/confirm',
    'one',
    'Mark a session as paid (sandbox only)',
  ],
  ['paymentPlans.list', 'GET', '/plans', 'page', 'List plans that customers can subscribe to'],
  ['paymentPlans.create', 'POST', '/plans', 'one', 'Create a plan'],
  ['paymentPlans.get', 'GET', '/plans/{id}', 'one', 'Read a plan'],
  ['paymentPlans.update', 'PATCH', '/plans/{id}', 'one', 'Change a plan'],
  ['paymentPlans.delete', 'DELETE', '/plans/{id}', 'one', 'Delete a plan'],
  ['paymentPlans.addPrice', 'POST', '/plans/{id}/prices', 'one', 'Add a price to a plan'],
  ['paymentPlans.updatePrice', 'PATCH', '/plans/prices/{priceId}', 'one', 'Change a price of a plan'],
  ['paymentSubscriptions.list', 'GET', '/subscriptions', 'page', 'List subscriptions of customers'],
  ['paymentSubscriptions.create', 'POST', '/subscriptions', 'one', 'Subscribe a customer to a price'],
  ['paymentSubscriptions.get', 'GET', '/subscriptions/{id}', 'one', 'Read a subscription'],
  ['paymentSubscriptions.update', 'PATCH', '/subscriptions/{id}', 'one', 'Change a subscription'],
  ['paymentSubscriptions.cancel', 'POST', '/subscriptions/{id}/cancel', 'one', 'Cancel a subscription'],
  ['invoices.list', 'GET', '/invoices', 'page', 'List invoices'],
  ['invoices.export', 'GET', '/invoices/export.csv', 'csv', 'Export invoices as CSV'],
  ['invoices.get', 'GET', '/invoices/{id}', 'one', 'Read an invoice'],
  ['invoices.getPdf', 'GET', '/invoices/{id}/pdf', 'pdf', 'Get an invoice as PDF'],
  ['invoices.getHtml', 'GET', '/invoices/{id}/html', 'html', 'Get an invoice as HTML'],
  ['paymentReceipts.list', 'GET', '/receipts', 'page', 'List receipts of payments'],
  ['paymentReceipts.get', 'GET', '/receipts/{id}', 'one', 'Read a receipt'],
  ['paymentReceipts.email', 'POST', '/receipts/{id}/email', 'one', 'Mail a receipt'],
  ['paymentReceipts.getPdf', 'GET', '/receipts/{id}/pdf', 'pdf', 'Get a receipt as PDF'],
  ['paymentReceipts.getHtml', 'GET', '/receipts/{id}/html', 'html', 'Get a receipt as HTML'],
  [
    'paymentReceipts.getEscpos',
    'GET',
    '/receipts/{id}/escpos',
    'escpos',
    'Get a receipt for a till printer (ESC/POS)',
  ],
  ['paymentCustomers.list', 'GET', '/customers', 'page', 'List customers of the payment partner'],
  ['paymentCustomers.create', 'POST', '/customers', 'one', 'Create a customer at the payment partner'],
  ['paymentCustomers.get', 'GET', '/customers/{id}', 'one', 'Read a customer of the payment partner'],
  ['paymentCustomers.update', 'PATCH', '/customers/{id}', 'one', 'Change a customer of the payment partner'],
  ['payouts.getBalance', 'GET', '/payouts/balance', 'one', 'Read the balance for payouts'],
  ['payouts.getBankAccount', 'GET', '/payouts/bank-account', 'one', 'Read the bank account for payouts'],
  ['payouts.setBankAccount', 'PUT', '/payouts/bank-account', 'one', 'Set the bank account of payouts'],
  ['payouts.list', 'GET', '/payouts', 'page', 'List payouts'],
  ['payouts.create', 'POST', '/payouts', 'one', 'Request a payout'],
  ['payouts.get', 'GET', '/payouts/{id}', 'one', 'Read a payout'],
  ['payouts.update', 'PATCH', '/payouts/{id}', 'one', 'Advance or cancel a payout'],
  ['ledger.listEntries', 'GET', '/ledger/entries', 'page', 'List entries of the ledger'],
  ['ledger.exportEntries', 'GET', '/ledger/entries.csv', 'csv', 'Export entries of the ledger as CSV'],
  ['ledger.getEntry', 'GET', '/ledger/entries/{id}', 'one', 'Read an entry of the ledger'],
  ['ledger.getBalance', 'GET', '/ledger/balance', 'one', 'Read the balances of the ledger'],
  ['paymentReports.getPnl', 'GET', '/reports/pnl', 'one', 'Read the profit and loss report'],
  ['paymentReports.getCashFlow', 'GET', '/reports/cash-flow', 'one', 'Cash flow'],
]

/** Bank accounts are closed to assistants (B-delegate-4). */
const CLOSED_TO_ASSISTANTS = '/payouts/bank-account'

export const forwardedRoutes: readonly Route[] = FORWARDED.map((row) =>
  forwardedRow(
    {
      module: 'payment',
      area: 'payments',
      delegation: (method, path) =>
        path === CLOSED_TO_ASSISTANTS ? 'forbidden' : method === 'GET' ? 'read' : 'books',
      role: () => 'MANAGER',
    },
    row,
  ),
)
