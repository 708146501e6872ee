import { IdParams, notFound, pageByKey, sendPrint } from 'kasir/partner-tools'
import { Type } from 'typebox'
import { type Column, sendCsv } from '../../kit/csv.ts'
import type { Db } from '../../kit/db.ts'
import { route } from '../../kit/http/route.ts'
import { afterOf, cursorOf } from '../../kit/lists.ts'
import { PaperFields, pdfFields, sendPdf } from '../../kit/print/routes.ts'
import { invoicePaper } from './rows.ts'
import { Invoice, InvoiceFilter, InvoiceQuery } from './schema.ts'
import { findInvoice, listInvoices } from './store.ts'

const COLUMNS: readonly Column<Invoice>[] = [
  ['number', (invoice) => invoice.number],
  ['createdAt', (invoice) => invoice.createdAt],
  ['dueDate', (invoice) => invoice.dueDate],
  ['customerId', (invoice) => invoice.customerId],
  ['customerName', (invoice) => invoice.customerName],
  ['status', (invoice) => invoice.status],
  ['currency', (invoice) => invoice.currency],
  ['total', (invoice) => invoice.total],
  ['paidAt', (invoice) => invoice.paidAt],
]

async function invoiceOf(db: Db, workspaceId: string, id: string): Promise<Invoice> {
  const invoice = await findInvoice(db, workspaceId, id)
  if (!invoice) throw notFound('invoice')
  return invoice
}

export const invoiceRoutes = [
  route({
    name: 'invoices.list',
    method: 'GET',
    path: '/invoices',
    tag: 'invoices',
    summary: 'Newest first',
    query: InvoiceQuery,
    access: 'read',
    page: true,
    returns: Invoice,
    handle: async ({ db, caller, query: { limit, cursor, ...filter } }) => {
      const after = afterOf(cursor, 'inv')
      const rows = await listInvoices(db, caller.workspaceId, { ...filter, after, limit: limit + 1 })
      return pageByKey(rows, limit, cursorOf)
    },
  }),
  route({
    name: 'invoices.export',
    method: 'GET',
    path: '/invoices/export.csv',
    tag: 'invoices',
    summary: 'The same list, whole, as CSV',
    query: InvoiceFilter,
    access: 'file',
    produces: 'text/csv',
    handle: async ({ db, caller, reply, query }) =>
      sendCsv(reply, {
        name: 'invoices',
        columns: COLUMNS,
        read: (after, limit) => listInvoices(db, caller.workspaceId, { ...query, after, limit }),
      }),
  }),
  route({
    name: 'invoices.get',
    method: 'GET',
    path: '/invoices/{id}',
    tag: 'invoices',
    summary: 'One invoice',
    params: IdParams,
    access: 'read',
    returns: Invoice,
    handle: ({ db, caller, params }) => invoiceOf(db, caller.workspaceId, params.id),
  }),
  route({
    name: 'invoices.pdf',
    method: 'GET',
    path: '/invoices/{id}/pdf',
    tag: 'invoices',
    summary: 'The invoice as PDF, on A4 unless asked otherwise',
    params: IdParams,
    query: Type.Object(pdfFields('a4')),
    access: 'file',
    produces: 'application/pdf',
    handle: async ({ db, caller, params, reply, query: { width = 'a4', lang = 'id' } }) => {
      const invoice = await invoiceOf(db, caller.workspaceId, params.id)
      const paged = invoicePaper(invoice, caller.name, lang)
      return sendPdf(reply, { ...paged, createdAt: invoice.createdAt }, width)
    },
  }),
  route({
    name: 'invoices.html',
    method: 'GET',
    path: '/invoices/{id}/html',
    tag: 'invoices',
    summary: 'The invoice as a page',
    params: IdParams,
    query: Type.Object(PaperFields),
    access: 'file',
    produces: 'text/html',
    handle: async ({ db, caller, params, reply, query: { width = '80', lang = 'id' } }) => {
      const invoice = await invoiceOf(db, caller.workspaceId, params.id)
      const paged = invoicePaper(invoice, caller.name, lang)
      return sendPrint(reply, paged, { format: 'html', width, name: invoice.number })
    },
  }),
]
