import type { CallOptions, Operation } from 'kasir-client'
import { call } from '../../app/service.ts'
import { callAllRows, callPage, PAGE_ROWS } from '../../office/call-page.ts'

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
