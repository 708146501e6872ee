import type { CallOptions, Operation } from 'kasir-client'
import { call } from '../../app/service.ts'
import { callAllRows, callPage, PAGE_ROWS } from '../../office/call-page.ts'
import { isPartnerAway } from '../../office/partner-away.ts'
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

/** The sentence for a partner that does not answer; null for any other error. */
export const awaySentence = (t: PaymentsTranslate) => (error: unknown) =>
  isPartnerAway(error) ? t('away') : null

/** The sentence for a write that got no usable answer: the next press repeats it under the same key. */
export const unknownSentence = (t: PaymentsTranslate) => (error: unknown) =>
  isPartnerAway(error) ? t('away.write') : null
