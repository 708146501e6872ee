import { Type } from 'typebox'
import { route } from '../../../platform/http/route.ts'
import { PrintJob } from '../../dining/printers/index.ts'
import { LabelFile, LabelPrint } from './schema.ts'
import { createLabelFile, printLabels } from './service.ts'

const area = 'labels'
const SOURCES =
  'Name the goods by `items`, `categoryId`, `changedSince` or `purchaseOrderId`. A label has the name, the price and the barcode: the first barcode, or the SKU as Code 128.'

export const labelRoutes = [
  route({
    name: 'labels.createFile',
    method: 'POST',
    path: '/labels/pdf',
    area,
    summary: 'Make price or shelf labels as a PDF',
    description: `${SOURCES} At most 1,000 labels.`,
    access: 'raw',
    delegation: 'books',
    role: 'CASHIER',
    body: LabelFile,
    returns: Type.String(),
    produces: 'application/pdf',
    handle: async ({ db, scope, body, reply }) => {
      const file = await createLabelFile(db, scope, body)
      return reply
        .type('application/pdf')
        .header('content-disposition', 'inline; filename="labels.pdf"')
        .send(file)
    },
  }),
  route({
    name: 'labels.print',
    method: 'POST',
    path: '/labels/print',
    area,
    summary: 'Print price or shelf labels on a receipt printer',
    description: `${SOURCES} Queues a job for every ten labels, at most 200 labels; each label is cut off.`,
    access: 'write',
    delegation: 'books',
    role: 'CASHIER',
    status: 201,
    body: LabelPrint,
    returns: Type.Object({ jobs: Type.Array(PrintJob) }),
    handle: async ({ tx, scope, body }) => ({ jobs: await printLabels(tx, scope, body) }),
  }),
]
