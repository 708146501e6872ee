import type { CallOptions, Operation } from 'kasir-client'
import { call } from '../../app/service.ts'
import { callAllRows, callPage, PAGE_ROWS, type RowPage } from '../../office/call-page.ts'
import { type PartnerRecord, recordFrom, rowsFrom } from '../../office/partner-data.ts'

type Input = Readonly<Record<string, unknown>>
type Reader<D> = (record: PartnerRecord) => D

/** Calls a forwarded route, whose answer the client leaves untyped. */
export const callPartner = (
  operation: unknown,
  input: Input = {},
  options: CallOptions = {},
): Promise<unknown> => call(operation as Operation<Input, unknown>, input, options)

/** Calls a forwarded route and reads the record that it answers. */
export const readPartner = async <D>(
  operation: unknown,
  read: Reader<D>,
  input: Input = {},
  options: CallOptions = {},
): Promise<D> => read(recordFrom(await callPartner(operation, input, options)))

/** One page of a forwarded list. */
export const readPartnerPage = <Row>(
  operation: unknown,
  read: Reader<Row>,
  cursor: string | null,
  filter: Input = {},
): Promise<RowPage<Row>> =>
  callPage(
    operation as Operation<Input, unknown>,
    { ...filter, limit: PAGE_ROWS, ...(cursor !== null && { cursor }) },
    (rows) => rowsFrom(rows).map(read),
  )

/** Every row of a forwarded list. */
export const readPartnerRows = <Row>(operation: unknown, read: Reader<Row>): Promise<Row[]> =>
  callAllRows(operation as Operation<Input, unknown>, {}, (rows) => rowsFrom(rows).map(read))
