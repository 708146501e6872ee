import { BILL_DETAILS, type BillPatch, KEPT_DETAILS, type KeptDetail, type SaleIn } from '../schema.ts'
import type { Sale } from './types.ts'

/**
 * Fields that a sale stores as they were sent. A further detail is a column of its row and a field of its bodies and
 * its record: here every verb finds what becomes of it.
 */
type SaleDetails = Pick<Sale, KeptDetail>

const collected = (fields: readonly KeptDetail[], valueOf: (field: KeptDetail) => unknown) =>
  Object.fromEntries(fields.map((field) => [field, valueOf(field)])) as SaleDetails

/** An empty text means none, except for the draft of a delivery, which is stored as it came (B-sale-10). */
const stored = (field: KeptDetail, sent: unknown) =>
  sent === undefined || (sent === '' && field !== 'deliveryDraft') ? null : sent

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
export const joinedDetails = (target: Sale, other: Sale): SaleDetails =>
  collected(KEPT_DETAILS, (field) => target[field] ?? other[field])

/** The details of a bill of which nothing is known. */
export const NO_DETAILS: SaleDetails = collected(KEPT_DETAILS, () => null)
