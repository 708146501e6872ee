import { malformed } from '../../../core/errors.ts'
import { slugOf } from '../../../core/text.ts'
import { parseInstant } from '../../../core/time.ts'
import type { Post } from './schema.ts'

/** The length of a slug derived from a title. It leaves room for a suffix such as `-2`. */
export const MADE_SLUG = 150
/** The slug of a title without letters and digits. */
const NAMELESS = 'post'

export const slugOfTitle = (title: string): string => slugOf(title, MADE_SLUG) || NAMELESS

type Publication = Pick<Post, 'status' | 'publishedAt'>

/**
 * Applies a patch. A published post keeps its date, takes the one that is sent, or gets the current time (B-blog-3).
 */
export function publicationOf(before: Publication, patch: Partial<Publication>, now: string): Publication {
  const { status, publishedAt } = { ...before, ...patch }
  return { status, publishedAt: publishedAt ?? (status === 'published' ? now : null) }
}

/** The range of instants that both the database and JavaScript support. */
const [FIRST, LAST] = ['1900', '9999']

/** Converts a sent date to the form of the API; undefined stays undefined. Throws 400 for an invalid instant. */
export function readPublishedAt(text: string | null | undefined): string | null | undefined {
  if (text === null || text === undefined) return text
  const instant = parseInstant(text)
  if (instant === null || instant < FIRST || instant >= LAST)
    throw malformed(
      'publishedAt',
      'publishedAt must be an instant with its offset such as 2026-11-21T08:00:00+07:00',
    )
  return instant
}

/**
 * Returns how many of these posts fit on a page: at most `limit`, at least one, and within the limit of bytes per
 * answer (B-blog-4).
 */
export function countWithin(sizes: readonly number[], limit: number, mostBytes: number): number {
  let bytes = 0
  const end = sizes.slice(0, limit).findIndex((size) => {
    bytes += size
    return bytes > mostBytes
  })
  return end === -1 ? Math.min(sizes.length, limit) : Math.max(end, 1)
}
