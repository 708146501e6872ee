import type { Page } from '../../../core/cursor.ts'
import type { ApiError } from '../../../core/errors.ts'

/** The bodies that a partner answers with; nobody else of the partner writes them. */
export const dataText = (data: unknown) => JSON.stringify({ data })

export const pageText = ({ items, cursor, hasMore }: Page<unknown>) =>
  JSON.stringify({ data: items, meta: { nextCursor: cursor, hasMore } })

export const errorText = ({ code, message, param }: ApiError) =>
  JSON.stringify({ error: { code, message, ...(param === undefined ? {} : { param }) } })
