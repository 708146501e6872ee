import { encodeCursor, pageByKey } from '../../../core/cursor.ts'
import type { Db } from '../../../platform/db/open.ts'
import type { Scope } from '../../../platform/scope.ts'
import type { PublicPost, PublicPostWhole } from './schema.ts'
import * as store from './store.ts'

type Account = Pick<Scope, 'accountId'>
type Row = Awaited<ReturnType<typeof store.listPublished>>[number]

/** What anybody may know of a post: nothing of drafts, campaigns or when it was written. */
const shown = ({ id: _id, publishedAt, ...post }: Row): PublicPost => ({
  ...post,
  publishedAt: publishedAt ?? '',
})

/** Published posts whose date has come, latest date first (B-public-3). */
export async function publishedPosts(
  db: Db,
  account: Account,
  now: string,
  page: { cursor?: string; limit: number },
) {
  const rows = await store.listPublished(db, account, now, page)
  const { items, hasMore, cursor } = pageByKey(rows, page.limit, ({ id, publishedAt }) =>
    encodeCursor({ createdAt: publishedAt ?? '', id }),
  )
  return { posts: items.map(shown), hasMore, cursor }
}

/** Undefined for a draft, as for a post that there is not. */
export async function publishedPost(
  db: Db,
  account: Account,
  now: string,
  slug: string,
): Promise<PublicPostWhole | undefined> {
  const row = await store.findPublished(db, account, now, slug)
  return row && { ...shown(row), body: row.body }
}
