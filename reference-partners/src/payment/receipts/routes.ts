import { IdParams, notFound, PageQuery, pageByKey, sendPrint } from 'kasir/partner-tools'
import { Type } from 'typebox'
import type { Db } from '../../kit/db.ts'
import { route } from '../../kit/http/route.ts'
import { afterOf, cursorOf } from '../../kit/lists.ts'
import { PaperFields, pdfFields, sendPdf } from '../../kit/print/routes.ts'
import { queueReceipt } from '../mails/service.ts'
import { receiptPaper } from './rows.ts'
import { Receipt, ReceiptEmail, ReceiptMailed } from './schema.ts'
import { findReceipt, listReceipts } from './store.ts'

async function receiptOf(db: Db, workspaceId: string, id: string): Promise<Receipt> {
  const receipt = await findReceipt(db, workspaceId, id)
  if (!receipt) throw notFound('receipt')
  return receipt
}

export const receiptRoutes = [
  route({
    name: 'receipts.list',
    method: 'GET',
    path: '/receipts',
    tag: 'receipts',
    summary: 'Newest first; every payment has one',
    query: Type.Object(PageQuery),
    access: 'read',
    page: true,
    returns: Receipt,
    handle: async ({ db, caller, query: { limit, cursor } }) =>
      pageByKey(
        await listReceipts(db, caller.workspaceId, afterOf(cursor, 'rct'), limit + 1),
        limit,
        cursorOf,
      ),
  }),
  route({
    name: 'receipts.get',
    method: 'GET',
    path: '/receipts/{id}',
    tag: 'receipts',
    summary: 'One receipt',
    params: IdParams,
    access: 'read',
    returns: Receipt,
    handle: ({ db, caller, params }) => receiptOf(db, caller.workspaceId, params.id),
  }),
  route({
    name: 'receipts.email',
    method: 'POST',
    path: '/receipts/{id}/email',
    tag: 'receipts',
    summary: 'Mails the receipt: three times a day at most, and a hundred receipts of a workspace',
    status: 202,
    params: IdParams,
    body: ReceiptEmail,
    access: 'write',
    returns: ReceiptMailed,
    handle: async ({ tools, tx, caller, params, body: { email }, now }) => {
      const receipt = await receiptOf(tx, caller.workspaceId, params.id)
      await queueReceipt(tx, { tools, caller, receipt, email, now })
      return { receiptId: receipt.id, email }
    },
  }),
  route({
    name: 'receipts.pdf',
    method: 'GET',
    path: '/receipts/{id}/pdf',
    tag: 'receipts',
    summary: 'The receipt as PDF, on a roll of 80 mm unless asked otherwise',
    params: IdParams,
    query: Type.Object(pdfFields('80')),
    access: 'file',
    produces: 'application/pdf',
    handle: async ({ db, caller, params, reply, query: { width = '80', lang = 'id' } }) => {
      const receipt = await receiptOf(db, caller.workspaceId, params.id)
      const paged = receiptPaper(receipt, caller.name, lang)
      return sendPdf(reply, { ...paged, createdAt: receipt.issuedAt }, width)
    },
  }),
  ...(['html', 'escpos'] as const).map((format) =>
    route({
      name: `receipts.${format}`,
      method: 'GET',
      path: `/receipts/{id}/${format}`,
      tag: 'receipts',
      summary: format === 'html' ? 'The receipt as a page' : 'The receipt as bytes for a receipt printer',
      params: IdParams,
      query: Type.Object(PaperFields),
      access: 'file',
      produces: format === 'html' ? 'text/html' : 'application/octet-stream',
      handle: async ({ db, caller, params, reply, query: { width = '80', lang = 'id' } }) => {
        const receipt = await receiptOf(db, caller.workspaceId, params.id)
        const paged = receiptPaper(receipt, caller.name, lang)
        return sendPrint(reply, paged, { format, width, name: receipt.number })
      },
    }),
  ),
]
