import { Type } from 'typebox'
import { sendPrint } from '../../../platform/http/paper.ts'
import { route } from '../../../platform/http/route.ts'
import { Deleted, IdParams } from '../../../platform/http/shapes.ts'
import { listJobs, paperOfJob, reprint, updateJob } from './jobs.ts'
import {
  ContentQuery,
  DrawerIn,
  DrawerKick,
  JobPatch,
  JobQuery,
  KickQuery,
  Printer,
  PrinterIn,
  PrinterPatch,
  PrinterQuery,
  PrintJob,
} from './schema.ts'
import {
  createPrinter,
  deletePrinter,
  getPrinter,
  listKicks,
  listPrinters,
  openDrawer,
  printTestPage,
  requireHost,
  updatePrinter,
} from './service.ts'
import { bytesOf } from './worker.ts'

const area = 'printers'
const One = Type.Object({ printer: Printer })
const OneJob = Type.Object({ job: PrintJob })

const printerRows = [
  route({
    name: 'printers.list',
    method: 'GET',
    path: '/printers',
    area,
    summary: 'List the printers',
    description: 'With `outletId`, those of one outlet.',
    access: 'read',
    delegation: 'read',
    query: PrinterQuery,
    returns: Type.Object({ printers: Type.Array(Printer) }),
    handle: async ({ db, scope, query }) => ({ printers: await listPrinters(db, scope, query.outletId) }),
  }),
  route({
    name: 'printers.create',
    method: 'POST',
    path: '/printers',
    area,
    summary: 'Add a printer to an outlet',
    description:
      'The service writes to a NETWORK printer (`host`) over TCP; the enrolled till `tillId` prints on a TILL printer. From then on each saved kitchen sale prints the changed items of its `stations`.',
    access: 'prepare',
    delegation: 'write',
    status: 201,
    body: PrinterIn,
    returns: One,
    // Name resolution can take seconds, so no transaction is open meanwhile.
    handle: async ({ deps, scope, body }) => {
      await requireHost(deps, scope, body.host)
      const { host = null, tillId = null, fallbackPrinterId = null } = body
      const { port = 9100, paper = 80, codePage = 'WPC1252', opensDrawer = false, stations = [] } = body
      const input = { ...body, host, tillId, fallbackPrinterId, port, paper, codePage, opensDrawer, stations }
      return async (tx) => ({ printer: await createPrinter(tx, scope, input) })
    },
  }),
  route({
    name: 'printers.get',
    method: 'GET',
    path: '/printers/{id}',
    area,
    summary: 'Read a printer',
    access: 'read',
    delegation: 'read',
    params: IdParams,
    returns: One,
    handle: async ({ db, scope, params }) => ({ printer: await getPrinter(db, scope, params.id) }),
  }),
  route({
    name: 'printers.update',
    method: 'PATCH',
    path: '/printers/{id}',
    area,
    summary: 'Change a printer',
    description: 'Changes only the fields that are sent. The kind and the outlet of a printer never change.',
    access: 'prepare',
    delegation: 'write',
    params: IdParams,
    body: PrinterPatch,
    returns: One,
    handle: async ({ deps, partner, scope, params, body }) => {
      await partner.read((db) => getPrinter(db, scope, params.id))
      await requireHost(deps, scope, body.host)
      return async (tx) => ({ printer: await updatePrinter(tx, scope, params.id, body) })
    },
  }),
  route({
    name: 'printers.delete',
    method: 'DELETE',
    path: '/printers/{id}',
    area,
    summary: 'Delete a printer',
    description:
      'Jobs that wait for it fail with the reason PRINTER_REMOVED. Its past jobs can still be read.',
    access: 'write',
    delegation: 'write',
    params: IdParams,
    returns: Deleted,
    handle: ({ tx, scope, params }) => deletePrinter(tx, scope, params.id),
  }),
  route({
    name: 'printers.printTest',
    method: 'POST',
    path: '/printers/{id}/test',
    area: 'print-jobs',
    summary: 'Print a test page',
    description: 'The page names the printer and shows letters of its code page.',
    access: 'write',
    delegation: 'books',
    role: 'CASHIER',
    params: IdParams,
    returns: OneJob,
    handle: async ({ tx, scope, params }) => ({ job: await printTestPage(tx, scope, params.id) }),
  }),
  route({
    name: 'printers.openDrawer',
    method: 'POST',
    path: '/printers/{id}/drawer',
    area: 'print-jobs',
    summary: 'Open the drawer without a sale',
    description:
      'Records who opened it and why. The job fails as TOO_OLD if the printer did not get it within 30 seconds, and goes to no fallback printer. 409 if the printer has no drawer (`opensDrawer`).',
    access: 'write',
    delegation: 'books',
    role: 'CASHIER',
    params: IdParams,
    status: 201,
    body: DrawerIn,
    returns: Type.Object({ job: PrintJob, kick: DrawerKick }),
    handle: ({ tx, scope, params, body }) => openDrawer(tx, scope, params.id, body.reason),
  }),
  route({
    name: 'printers.listDrawerKicks',
    method: 'GET',
    path: '/printers/{id}/drawer',
    area: 'print-jobs',
    summary: 'List the openings of a drawer without a sale, newest first',
    access: 'page',
    delegation: 'read',
    params: IdParams,
    query: KickQuery,
    returns: DrawerKick,
    handle: ({ db, scope, params, query }) => listKicks(db, scope, params.id, query),
  }),
]

export const printerRoutes = [
  ...printerRows,
  route({
    name: 'printJobs.list',
    method: 'GET',
    path: '/print-jobs',
    area: 'print-jobs',
    summary: 'List print jobs, newest first',
    description: 'A till reads the `queued` jobs of its printers here. Jobs are kept 30 days.',
    access: 'page',
    delegation: 'read',
    query: JobQuery,
    returns: PrintJob,
    handle: ({ db, scope, query }) => listJobs(db, scope, query),
  }),
  route({
    name: 'printJobs.getContent',
    method: 'GET',
    path: '/print-jobs/{id}/content',
    area: 'print-jobs',
    summary: 'Read the paper of a job: bytes for its printer, a page, or plain text',
    description:
      '`escpos` has the bytes for the printer of the job, with the pulse that opens a drawer. The other formats are for a till whose browser cannot reach the printer.',
    access: 'raw',
    delegation: 'read',
    params: IdParams,
    query: ContentQuery,
    returns: Type.String(),
    produces: 'application/octet-stream',
    document: { alsoProduces: ['text/html', 'text/plain'] },
    handle: async ({ deps, db, scope, params, query, reply }) => {
      const { job, rows } = await paperOfJob(db, scope, params.id)
      const { format = 'escpos' } = query
      const width = job.printer?.paper === 58 ? '58' : '80'
      if (format !== 'escpos') {
        const paged = { title: job.id, language: 'id', rows }
        return sendPrint(reply, paged, { format, width, name: job.id })
      }
      return reply
        .type('application/octet-stream')
        .header('content-disposition', `attachment; filename="${job.id}.bin"`)
        .send(Buffer.from(await bytesOf(deps, scope, job, job.printer ?? { paper: 80, codePage: 'WPC1252' })))
    },
  }),
  route({
    name: 'printJobs.update',
    method: 'PATCH',
    path: '/print-jobs/{id}',
    area: 'print-jobs',
    summary: 'Take a job at its till, or report what became of it',
    description:
      'At the enrolled till of the TILL printer only. `printing` takes the job: one of several requests succeeds, the others are 409. Then send `printed`, or `failed` with a reason. A job that failed is queued again until its third try, and `dueAt` says for when.',
    access: 'write',
    delegation: 'forbidden',
    role: 'CASHIER',
    params: IdParams,
    body: JobPatch,
    returns: OneJob,
    handle: async ({ tx, scope, params, body }) => ({ job: await updateJob(tx, scope, params.id, body) }),
  }),
  route({
    name: 'printJobs.reprint',
    method: 'POST',
    path: '/print-jobs/{id}/reprint',
    area: 'print-jobs',
    summary: 'Print a job again',
    description:
      'The paper is marked SALINAN if the job was printed or may have been. 409 while it waits or is being printed.',
    access: 'write',
    delegation: 'books',
    role: 'CASHIER',
    params: IdParams,
    returns: OneJob,
    handle: async ({ tx, scope, params }) => ({ job: await reprint(tx, scope, params.id) }),
  }),
]
