import type { FastifyReply } from 'fastify'
import { type Static, Type } from 'typebox'
import { conflict, invalid } from '../../../../core/errors.ts'
import { type Receipt, receiptRows } from '../../../../core/paper/receipt.ts'
import type { Image } from '../../../../core/paper/rows.ts'
import { SETTINGS_DEFAULTS } from '../../../../core/settings.ts'
import { addMs } from '../../../../core/time.ts'
import type { Db, Tx } from '../../../../platform/db/open.ts'
import type { Deps } from '../../../../platform/deps.ts'
import { type Language, PaperQuery, sendPrint } from '../../../../platform/http/paper.ts'
import { route } from '../../../../platform/http/route.ts'
import { Id, IdParams, Words } from '../../../../platform/http/shapes.ts'
import type { PaperPage } from '../../../../platform/print/html.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { getPrinter, hasPrinted, queueReceipt } from '../../../dining/printers/index.ts'
import { logoReader } from '../../../workspace/uploads/index.ts'
import { pointsTakenBack } from '../rules/loyalty.ts'
import { lockToPrint, readPrinted } from '../sale/load.ts'
import { saleView } from '../sale/view.ts'
import type { SaleView } from '../schema.ts'

const ReceiptQuery = Type.Object({
  format: Type.Optional(Words(['html', 'escpos', 'text'], { default: 'html' })),
  kind: Type.Optional(
    Words(['receipt', 'bill'], {
      default: 'receipt',
      description: '`bill` is what an open bill has to pay, marked as no receipt; 409 for any other sale',
    }),
  ),
  ...PaperQuery,
})
type ReceiptQuery = Static<typeof ReceiptQuery>

export const ReceiptPrint = Type.Object(
  {
    printerId: Id,
    kind: Type.Optional(Words(['receipt', 'bill'], { default: 'receipt' })),
    lang: PaperQuery.lang,
    opensDrawer: Type.Optional(
      Type.Boolean({
        default: true,
        description: 'false leaves the drawer closed: the till has opened it with the payment',
      }),
    ),
  },
  { title: 'ReceiptPrint' },
)

type Account = Pick<Scope, 'accountId'>

const readLogo = logoReader()

/** The logo as the format needs it: a text has none, and only a printer needs its dots. */
async function logoOf(
  deps: Deps,
  db: Db,
  scope: Account,
  { url, format = 'html', width = '80' }: ReceiptQuery & { url: string | null },
): Promise<Image | null> {
  const logo = url === null || format === 'text' ? null : await readLogo(deps, db, scope, url)
  if (!logo) return null
  const dots = format === 'escpos' ? await logo.dots(width) : null
  return { kind: 'image', url: logo.url, width: logo.width, height: logo.height, dots }
}

async function getReceipt(
  deps: Deps,
  db: Db,
  scope: Account,
  { id, ...query }: ReceiptQuery & { id: string },
): Promise<Receipt & { sale: SaleView; hasQr: boolean }> {
  const { lang = 'id', kind = 'receipt' } = query
  const bill = await readPrinted(db, scope, id)
  if (kind === 'bill' && bill.status !== 'PARKED') {
    throw conflict('Only an open bill is printed before it is paid; print the receipt of this sale')
  }
  const { businessName, npwp, receiptThanks, receiptQr, logoUrl } = bill.settings ?? {
    businessName: bill.accountName,
    ...SETTINGS_DEFAULTS,
  }
  return {
    sale: saleView(bill),
    business: { name: businessName, npwp, thanks: receiptThanks },
    ...bill.clock,
    cashierName: bill.cashierName,
    pointsKept: bill.pointsEarned - pointsTakenBack(bill),
    logo: await logoOf(deps, db, scope, { ...query, url: logoUrl }),
    language: lang,
    isBill: kind === 'bill',
    hasQr: receiptQr,
  }
}

const pagedOf = (receipt: Receipt): PaperPage => ({
  title: receipt.sale.number,
  language: receipt.language,
  rows: receiptRows(receipt),
})

/** The receipt of a sale as a page for its customer, who has no credential. It names no telephone number of theirs. */
export async function publicReceipt(
  deps: Deps,
  account: Account,
  saleId: string,
  lang: Language,
): Promise<PaperPage> {
  const receipt = await getReceipt(deps, deps.db, account, { id: saleId, lang })
  return { ...pagedOf(receipt), isPrivate: true }
}

const answer = (reply: FastifyReply, receipt: Receipt, { format = 'html', width = '80' }: ReceiptQuery) => {
  const { number } = receipt.sale
  const paged = pagedOf(receipt)
  return sendPrint(reply, paged, { format, width, name: `receipt-${number}` })
}

/** A later receipt opens no drawer: the cash was put away, and the job of the first receipt is removed by age. */
const OPENS_DRAWER_MS = 30 * 60_000

const isJustPaidInCash = ({ status, completedAt, payments }: SaleView, now: string): boolean =>
  status === 'COMPLETED' &&
  completedAt !== null &&
  completedAt >= addMs(now, -OPENS_DRAWER_MS) &&
  payments.some(({ method, status: state, applied }) => method === 'CASH' && state === 'PAID' && applied)

/**
 * Queues the receipt at a printer. The drawer opens once: for the first receipt of a sale that was just paid in cash (B-print-9).
 * `createLink` makes the public address that the settings ask for (B-receipt-9).
 */
export async function printReceipt(
  deps: Deps,
  tx: Tx,
  scope: Scope,
  {
    id,
    printerId,
    kind = 'receipt',
    lang = 'id',
    opensDrawer: mayOpenDrawer = true,
    createLink,
  }: Static<typeof ReceiptPrint> & { id: string; createLink(): Promise<string> },
) {
  // One of several concurrent requests prints the first receipt; the others see its job.
  if (mayOpenDrawer && kind === 'receipt') await lockToPrint(tx, scope, id)
  const receipt = await getReceipt(deps, tx, scope, { id, kind, lang, format: 'html' })
  const printer = await getPrinter(tx, scope, printerId, 'printerId')
  const { sale, hasQr } = receipt
  if (printer.outletId !== sale.outletId)
    throw invalid('printerId', `${printer.name} belongs to another outlet`)
  const isDue = mayOpenDrawer && printer.opensDrawer && isJustPaidInCash(sale, scope.now)
  const opensDrawer = isDue && !(await hasPrinted(tx, scope, id))
  const publicUrl = hasQr && kind === 'receipt' ? await createLink() : null
  const rows = receiptRows({ ...receipt, publicUrl })
  const ofOpenBill = sale.status === 'PARKED'
  return queueReceipt(tx, scope, printer, { saleId: id, rows, opensDrawer, ofOpenBill })
}

export const receiptRoutes = [
  route({
    name: 'sales.getReceipt',
    method: 'GET',
    path: '/sales/{id}/receipt',
    area: 'sales',
    summary: 'Print a sale: a page, plain text or bytes for a receipt printer',
    description:
      'html is a page for any browser; escpos is the byte stream of ESC/POS printers, with the cut; text is for everything else. An open bill and a voided sale are marked as such. `kind=bill` prints what an open bill has to pay; it says that it is no receipt.',
    access: 'raw',
    delegation: 'read',
    params: IdParams,
    query: ReceiptQuery,
    hotPath: { holdsSlot: false },
    returns: Type.String(),
    produces: 'text/html',
    document: { refuses: ['CONFLICT'], alsoProduces: ['text/plain', 'application/octet-stream'] },
    handle: async ({ deps, db, scope, params, query, reply }) =>
      answer(reply, await getReceipt(deps, db, scope, { ...query, id: params.id }), query),
  }),
]
