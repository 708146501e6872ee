import type { Operation } from 'kasir-client'
import { call } from '../../app/service.ts'
import { callPage, PAGE_ROWS, type RowPage } from '../../office/call-page.ts'
import { formatMoment } from '../../ui/time.ts'

/** A record of the fulfillment partner, which decides its fields: each is checked before a page shows it. */
export type PartnerRecord = Readonly<Record<string, unknown>>

const isRecord = (value: unknown): value is PartnerRecord => typeof value === 'object' && value !== null

export const textIn = (record: PartnerRecord, name: string): string => {
  const value = record[name]
  return typeof value === 'string' ? value : ''
}
export const numberIn = (record: PartnerRecord, name: string): number => {
  const value = record[name]
  return typeof value === 'number' ? value : 0
}
export const recordIn = (record: PartnerRecord, name: string): PartnerRecord => {
  const value = record[name]
  return isRecord(value) ? value : {}
}
export const recordsIn = (record: PartnerRecord, name: string): readonly PartnerRecord[] => {
  const value = record[name]
  return Array.isArray(value) ? value.filter(isRecord) : []
}

/** The address if a page may link to it: a partner could send `javascript:`. */
export const linkIn = (record: PartnerRecord, name: string): string | null =>
  /^https?:\/\//i.test(textIn(record, name)) ? textIn(record, name) : null

export const momentIn = (record: PartnerRecord, name: string): string => {
  const text = textIn(record, name)
  return Number.isNaN(Date.parse(text)) ? '–' : formatMoment(text)
}

/** The id of a record, by which lists and links name it. */
export const idIn = (record: PartnerRecord): string => textIn(record, 'id')

type PartnerQuery = Readonly<Record<string, string | undefined>>

/** A page of a list of the partner. */
export function readRows(
  operation: Operation<unknown, unknown[]>,
  cursor: string | null,
  query: PartnerQuery = {},
): Promise<RowPage<PartnerRecord>> {
  const filters = Object.entries(query).filter(([, value]) => value !== undefined && value !== '')
  const input = {
    ...Object.fromEntries(filters),
    limit: PAGE_ROWS,
    ...(cursor !== null && { cursor }),
  }
  return callPage(operation, input, (rows) => rows.filter(isRecord).filter((record) => idIn(record) !== ''))
}

export async function readRecord<I>(operation: Operation<I, unknown>, input: I): Promise<PartnerRecord> {
  const answer = await call(operation, input)
  return isRecord(answer) ? answer : {}
}
