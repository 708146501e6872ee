/**
 * Everything that the reference partners use of the service. They import no other file of it, and this file does not
 * know its tables (.dependency-cruiser.cjs enforces both).
 */
export { assert } from './core/assert.ts'
export { type Page, pageByKey } from './core/cursor.ts'
export {
  ApiError,
  authRequired,
  conflict,
  ERRORS,
  forbidden,
  invalid,
  malformed,
  notFound,
} from './core/errors.ts'
export { newUlid } from './core/ids.ts'
export { webAddressIn } from './core/links.ts'
export { nameForMail } from './core/mail-names.ts'
export { escaped } from './core/markup.ts'
export { mul, mulDivFloor, mulDivHalfUp, sum } from './core/money.ts'
export { clean } from './core/paper/format.ts'
export { COLUMNS, linesOf, type Paper, type PrintedLine } from './core/paper/layout.ts'
export { centered, left, type PaperRow, pair, RULE } from './core/paper/rows.ts'
export { isSameText } from './core/same-text.ts'
export { guarded } from './core/spreadsheet.ts'
export {
  addDays,
  addMonths,
  addMs,
  clockOf,
  dayOf,
  epochMsOf,
  isDay,
  mailDateOf,
  parseInstant,
  startOfDay,
} from './core/time.ts'
export { systemClock } from './platform/clock.ts'
export { withClient } from './platform/db/client.ts'
export { migrate, readMigrations } from './platform/db/migrate.ts'
export { camelOf } from './platform/db/names.ts'
export { openDb, type Pooler } from './platform/db/open.ts'
export { isRetryable, outcomeUnknown, translatePgError } from './platform/db/pg-errors.ts'
export { createDrain } from './platform/http/drain.ts'
export { documented } from './platform/http/fields.ts'
export { parseJson } from './platform/http/json-body.ts'
export { LANGUAGES, type Language, PaperQuery, sendPrint } from './platform/http/paper.ts'
export {
  Day,
  Deleted,
  FilterId,
  Flag,
  FreeText,
  flagOf,
  Id,
  IdParams,
  Instant,
  Nullable,
  PageQuery,
  Rupiah,
  Text,
  Timestamps,
  Words,
} from './platform/http/shapes.ts'
export { checker, isStorable, normalise } from './platform/http/validate.ts'
export { removeOldMails, writeMailFile } from './platform/mail/files.ts'
export { type SmtpTls, tlsOf, transportTo } from './platform/mail/smtp.ts'
export { type OutgoingClient, OutgoingError, openOutgoing } from './platform/outgoing/outgoing.ts'
export type { PaperPage } from './platform/print/html.ts'
export { NO_PAGE } from './platform/print/pages.ts'
export { createPdf, drawLine, MILLIMETRE, type Pdf, type PdfInfo } from './platform/print/pdf.ts'
export { textOf } from './platform/print/text.ts'
export { inWinAnsi } from './platform/print/win-ansi.ts'
export { VERSION } from './platform/version.ts'
export { nextWaitS, retryAfterS } from './platform/webhooks/schedule.ts'
export { signedHeaders } from './platform/webhooks/signature.ts'
