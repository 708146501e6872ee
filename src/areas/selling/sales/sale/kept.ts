import { foldCase } from '../../../../core/conditions.ts'
import { BILL_DETAILS, type BillPatch, KEPT_DETAILS, type KeptDetail, type SaleIn } from '../schema.ts'
import type { Sale } from './types.ts'

/**
 * Fields that a sale stores as they were sent. A further detail is a column of its row and a field of its bodies and
 * its record: here every verb finds what becomes of it.
 */
type SaleDetails = Pick<Sale, KeptDetail>

const collected = (fields: readonly KeptDetail[], valueOf: (field: KeptDetail) => unknown) =>
  Object.fromEntries(fields.map((field) => [field, valueOf(field)])) as SaleDetails

/** An empty text or list means none, except for the draft of a delivery, which is stored as it came (B-sale-10). */
const stored = (field: KeptDetail, sent: unknown) =>
  sent === undefined || (isEmpty(sent) && field !== 'deliveryDraft') ? null : sent

const isEmpty = (sent: unknown) => sent === '' || (Array.isArray(sent) && sent.length === 0)

/** The details of a new sale. */
export const detailsOf = (body: SaleIn): SaleDetails =>
  collected(KEPT_DETAILS, (field) => stored(field, body[field]))

/** The details of a bill after an edit, which keeps what the edit does not name. */
export const editedDetails = (
  before: Sale,
  patch: BillPatch,
): Pick<Sale, keyof SaleDetails & keyof BillPatch> =>
  collected(BILL_DETAILS, (field) => {
    const sent = (patch as Partial<Record<KeptDetail, unknown>>)[field]
    return sent === undefined ? before[field] : stored(field, sent)
  })

/** Fills the empty fields of one bill from the other: customer, destination, and whether the kitchen cooks for it. */
export const joinedDetails = (target: Sale, other: Sale): SaleDetails => ({
  ...collected(KEPT_DETAILS, (field) => target[field] ?? other[field]),
  voucherCodes: joinedCodes(target.voucherCodes, other.voucherCodes),
})

/** The codes of both bills, each once in any case. */
function joinedCodes(target: string[] | null, other: string[] | null): string[] | null {
  if (target === null || other === null) return target ?? other
  const known = new Set(target.map(foldCase))
  return [...target, ...other.filter((code) => !known.has(foldCase(code)))]
}

/** The details of a bill of which nothing is known. */
export const NO_DETAILS: SaleDetails = collected(KEPT_DETAILS, () => null)
