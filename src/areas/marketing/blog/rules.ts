import { malformed } from '../../../core/errors.ts'
import { slugOf } from '../../../core/text.ts'
import { parseInstant } from '../../../core/time.ts'
import type { Post } from './schema.ts'

/** A slug made from a title leaves room for what tells it from others: `-2`. */
export const MADE_SLUG = 150
/** What a title of signs alone becomes. */
const NAMELESS = 'post'

export const slugOfTitle = (title: string): string => slugOf(title, MADE_SLUG) || NAMELESS

type Publication = Pick<Post, 'status' | 'publishedAt'>

/** A published post has a date: the one it was given, the one of its first time, or now (B-blog-3). */
export function publicationOf(before: Publication, patch: Partial<Publication>, now: string): Publication {
  const { status, publishedAt } = { ...before, ...patch }
  return { status, publishedAt: publishedAt ?? (status === 'published' ? now : null) }
}

/** Instants that a database and a reader of dates both know. */
const [FIRST, LAST] = ['1900', '9999']

/** A date that was sent, in the form of the API; undefined where none was. 400 for one that is no instant. */
export function readPublishedAt(text: string | null | undefined): string | null | undefined {
  if (text === null || text === undefined) return text
  const instant = parseInstant(text)
  if (instant === null || instant < FIRST || instant >= LAST)
    throw malformed('publishedAt', 'publishedAt must be a date-time with its offset')
  return instant
}

/**
 * How many of these posts a page holds: as many as were asked for, and at least one, but only as many bytes of text as
 * are answered at once (B-blog-4).
 */
export function countWithin(sizes: readonly number[], limit: number, mostBytes: number): number {
  let bytes = 0
  const end = sizes.slice(0, limit).findIndex((size) => {
    bytes += size
    return bytes > mostBytes
  })
  return end === -1 ? Math.min(sizes.length, limit) : Math.max(end, 1)
}
