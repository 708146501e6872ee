import type { FastifyReply } from 'fastify'
import { type Static, Type } from 'typebox'
import { SETTINGS_DEFAULTS } from '../../../../core/settings.ts'
import type { Db } from '../../../../platform/db/open.ts'
import type { Deps } from '../../../../platform/deps.ts'
import { type Language, PaperQuery, sendPrint } from '../../../../platform/http/paper.ts'
import { route } from '../../../../platform/http/route.ts'
import { IdParams, Words } from '../../../../platform/http/shapes.ts'
import type { PaperPage } from '../../../../platform/print/html.ts'
import type { Image } from '../../../../platform/print/rows.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { logoReader } from '../../../workspace/uploads/index.ts'
import { pointsTakenBack } from '../rules/loyalty.ts'
import { readPrinted } from '../sale/load.ts'
import { saleView } from '../sale/view.ts'
import { type Receipt, rowsOf } from './rows.ts'

const ReceiptQuery = Type.Object({
  format: Type.Optional(Words(['html', 'escpos', 'text'], { default: 'html' })),
  ...PaperQuery,
})
type ReceiptQuery = Static<typeof ReceiptQuery>

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
  id: string,
  query: ReceiptQuery,
): Promise<Receipt> {
  const { lang = 'id' } = query
  const bill = await readPrinted(db, scope, id)
  const { businessName, npwp, receiptThanks, logoUrl } = bill.settings ?? {
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
  }
}

const pagedOf = (receipt: Receipt): PaperPage => ({
  title: receipt.sale.number,
  language: receipt.language,
  rows: rowsOf(receipt),
})

/** The receipt of a sale as a page for its customer, who has no credential. It names no telephone number of theirs. */
export async function publicReceipt(
  deps: Deps,
  account: Account,
  saleId: string,
  lang: Language,
): Promise<PaperPage> {
  const receipt = await getReceipt(deps, deps.db, account, saleId, { lang })
  return { ...pagedOf(receipt), isPrivate: true }
}

const answer = (reply: FastifyReply, receipt: Receipt, { format = 'html', width = '80' }: ReceiptQuery) => {
  const { number } = receipt.sale
  const paged = pagedOf(receipt)
  return sendPrint(reply, paged, { format, width, name: `receipt-${number}` })
}

export const receiptRoutes = [
  route({
    name: 'sales.getReceipt',
    method: 'GET',
    path: '/sales/{id}/receipt',
    area: 'sales',
    summary: 'Print a sale: a page, plain text or bytes for a receipt printer',
    description:
      'html is a page for any browser; escpos is the byte stream of ESC/POS printers, with the cut; text is for everything else. An open bill and a voided sale are marked as such.',
    access: 'raw',
    delegation: 'read',
    params: IdParams,
    query: ReceiptQuery,
    hotPath: { holdsSlot: false },
    returns: Type.String(),
    produces: 'text/html',
    document: { alsoProduces: ['text/plain', 'application/octet-stream'] },
    handle: async ({ deps, db, scope, params, query, reply }) =>
      answer(reply, await getReceipt(deps, db, scope, params.id, query), query),
  }),
]
