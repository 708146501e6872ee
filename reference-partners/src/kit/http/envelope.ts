import type { ApiError, Page } from 'kasir/partner-tools'

/** The only place that builds the response bodies of a partner. */
export const dataText = (data: unknown) => JSON.stringify({ data })

export const pageText = ({ items, cursor, hasMore }: Page<unknown>) =>
  JSON.stringify({ data: items, meta: { nextCursor: cursor, hasMore } })

export const errorText = ({ code, message, param }: ApiError) =>
  JSON.stringify({ error: { code, message, ...(param === undefined ? {} : { param }) } })
