import type { Meta, Operation } from 'kasir-client'
import { call } from '../app/service.ts'

export type RowPage<Row> = {
  rows: readonly Row[]
  /** Null at the end of the list. */
  cursor: string | null
}

type WithMeta<D> = { data: D; meta: Meta }

/** Calls the service and returns `meta` too. */
export const callWithMeta = <I, D>(operation: Operation<I, D>, input: I): Promise<WithMeta<D>> =>
  call(operation.withMeta as unknown as Operation<I, WithMeta<D>>, input)

/** Calls a list and returns its rows with the cursor of the next page. */
export async function callPage<I, D, Row>(
  operation: Operation<I, D>,
  input: I,
  rowsIn: (data: D) => readonly Row[],
): Promise<RowPage<Row>> {
  const { data, meta } = await callWithMeta(operation, input)
  return { rows: rowsIn(data), cursor: meta.hasMore === true ? (meta.cursor ?? null) : null }
}

/** The most rows that the service answers in a page. */
export const PAGE_ROWS = 100

/** Every row of a list, page after page. */
export async function callAllRows<I extends object, D, Row>(
  operation: Operation<I, D>,
  input: I,
  rowsIn: (data: D) => readonly Row[],
): Promise<Row[]> {
  const rows: Row[] = []
  let cursor: string | null = null
  do {
    const page: RowPage<Row> = await callPage(
      operation,
      { ...input, limit: PAGE_ROWS, ...(cursor !== null && { cursor }) },
      rowsIn,
    )
    rows.push(...page.rows)
    cursor = page.cursor
  } while (cursor !== null)
  return rows
}
