import { type CallOptions, isKasirError, type Operation } from 'kasir-client'
import { call } from '../../app/service.ts'
import { callAllRows, callPage, PAGE_ROWS } from '../../office/call-page.ts'
import type { PaymentsTranslate } from '../../texts/payments/texts.ts'

type Input = Readonly<Record<string, unknown>>

/** Calls a forwarded route, whose answer the client leaves untyped. */
export const callPartner = async <D>(operation: unknown, input: Input = {}, options: CallOptions = {}) =>
  (await call(operation as Operation<Input, unknown>, input, options)) as D

/** One page of a forwarded list. */
export const readPartnerPage = <Row>(operation: unknown, cursor: string | null, filter: Input = {}) =>
  callPage(
    operation as Operation<Input, Row[]>,
    { ...filter, limit: PAGE_ROWS, ...(cursor !== null && { cursor }) },
    (rows) => rows,
  )

/** Every row of a forwarded list. */
export const readPartnerRows = <Row>(operation: unknown): Promise<Row[]> =>
  callAllRows(operation as Operation<Input, Row[]>, {}, (rows) => rows)

/** The service gives a 503 for its own reasons too, so that answer keeps its own sentence. */
const isAway = (error: unknown): boolean =>
  isKasirError(error) && ['PARTNER_ERROR', 'PARTNER_TIMEOUT'].includes(error.code)

/** The sentence for a partner that does not answer; null for any other error. */
export const awaySentence = (t: PaymentsTranslate) => (error: unknown) => (isAway(error) ? t('away') : null)

/** The sentence for a write that got no usable answer: the next press repeats it under the same key. */
export const unknownSentence = (t: PaymentsTranslate) => (error: unknown) =>
  isAway(error) ? t('away.write') : null
