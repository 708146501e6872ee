import type { Operation } from 'kasir-client'
import { call } from '../app/service.ts'
import { formatMoment } from '../ui/time.ts'
import { callPage, PAGE_ROWS, type RowPage } from './call-page.ts'

/** A record of a partner, which decides its fields: each is checked before a page shows it. */
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
/** An amount, null if the partner sent none: a page shows a dash then, never a zero that reads as a fact. */
export const amountIn = (record: PartnerRecord, name: string): number | null => {
  const value = record[name]
  return typeof value === 'number' ? value : null
}

/** A list without records if the partner sent no list. */
const recordsFrom = (value: unknown): readonly PartnerRecord[] =>
  Array.isArray(value) ? value.filter(isRecord) : []

export const recordFrom = (value: unknown): PartnerRecord => (isRecord(value) ? value : {})

export const recordIn = (record: PartnerRecord, name: string): PartnerRecord => recordFrom(record[name])
export const recordsIn = (record: PartnerRecord, name: string): readonly PartnerRecord[] =>
  recordsFrom(record[name])

/** The address if a page may link to it: a partner could send `javascript:`. */
export const linkIn = (record: PartnerRecord, name: string): string | null =>
  /^https?:\/\//i.test(textIn(record, name)) ? textIn(record, name) : null

/** An instant or a day that can be shown, null if it is none. */
export const instantIn = (record: PartnerRecord, name: string): string | null => {
  const text = textIn(record, name)
  return Number.isNaN(Date.parse(text)) ? null : text
}

/** A calendar day such as 2026-11-26, null if it is none. */
export const dayFieldIn = (record: PartnerRecord, name: string): string | null =>
  /^\d{4}-\d{2}-\d{2}$/.test(textIn(record, name)) ? instantIn(record, name) : null

export const momentText = (instant: string | null): string => (instant === null ? '–' : formatMoment(instant))

export const momentIn = (record: PartnerRecord, name: string): string => momentText(instantIn(record, name))

/** The id of a record, by which lists and links name it. */
export const idIn = (record: PartnerRecord): string => textIn(record, 'id')

/** The rows of a list that have an id: without one a page can neither name nor open a row. */
export const rowsFrom = (answer: unknown): readonly PartnerRecord[] =>
  recordsFrom(answer).filter((record) => idIn(record) !== '')

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
  return callPage(operation, input, rowsFrom)
}

export async function readRecord<I>(operation: Operation<I, unknown>, input: I): Promise<PartnerRecord> {
  return recordFrom(await call(operation, input))
}
