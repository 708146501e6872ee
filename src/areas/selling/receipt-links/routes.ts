import { Type } from 'typebox'
import { maskText } from '../../../core/text.ts'
import { addressOf } from '../../../platform/config/config.ts'
import { route } from '../../../platform/http/route.ts'
import { IdParams } from '../../../platform/http/shapes.ts'
import { PrintJob } from '../../dining/printers/index.ts'
import { printReceipt, ReceiptPrint } from '../sales/index.ts'
import { LinkRevocation, ReceiptLink } from './schema.ts'
import { createLink, revokeLinks } from './service.ts'

const area = 'sales'

export const receiptLinkRoutes = [
  route({
    name: 'sales.print',
    method: 'POST',
    path: '/sales/{id}/print',
    area: 'sales',
    summary: 'Print the receipt of a sale, or its bill, on a printer of the outlet',
    description:
      'Queues a print job. The first receipt of a sale just paid in cash opens the drawer of its printer; a bill never does. With `receiptQr` in the settings a receipt ends in a QR code of a new public page.',
    access: 'write',
    delegation: 'books',
    role: 'CASHIER',
    params: IdParams,
    body: ReceiptPrint,
    status: 201,
    returns: Type.Object({ job: PrintJob }),
    handle: async ({ deps, tx, scope, params: { id }, body }) => ({
      job: await printReceipt(deps, tx, scope, {
        ...body,
        id,
        createLink: async () => (await createLink(tx, scope, id, addressOf(deps.config))).url,
      }),
    }),
  }),
  route({
    name: 'sales.createReceiptLink',
    method: 'POST',
    path: '/sales/{id}/receipt-link',
    area,
    summary: 'Make a public address of the receipt, for WhatsApp or a QR code',
    description:
      'Anyone who has the address sees the receipt as a page for 90 days, without a credential. The page shows the sale as it is then and no phone number of the customer. The address is shown once; a further request makes a further one.',
    access: 'write',
    delegation: 'books',
    role: 'CASHIER',
    params: IdParams,
    returns: ReceiptLink,
    secret: { mask: ({ url, expiresAt }) => ({ url: maskText(url), expiresAt }) },
    handle: ({ deps, tx, scope, params }) => createLink(tx, scope, params.id, addressOf(deps.config)),
  }),
  route({
    name: 'sales.revokeReceiptLink',
    method: 'DELETE',
    path: '/sales/{id}/receipt-link',
    area,
    summary: 'Revoke every public address of the receipt',
    description: 'The pages are 404 from then on. 404 if the receipt has no public address.',
    access: 'write',
    delegation: 'books',
    role: 'CASHIER',
    params: IdParams,
    returns: LinkRevocation,
    handle: ({ tx, scope, params }) => revokeLinks(tx, scope, params.id),
  }),
]
