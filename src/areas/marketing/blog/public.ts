import { encodeCursor, pageByKey } from '../../../core/cursor.ts'
import type { Db } from '../../../platform/db/open.ts'
import type { Scope } from '../../../platform/scope.ts'
import type { PublicPost, PublicPostWhole } from './schema.ts'
import * as store from './store.ts'

type Account = Pick<Scope, 'accountId'>
type PublishedPost = Awaited<ReturnType<typeof store.listPublished>>[number]

/** Converts a post to its public form, which omits its id. */
const toPublicPost = ({ id: _id, publishedAt, ...post }: PublishedPost): PublicPost => ({
  ...post,
  publishedAt: publishedAt ?? '',
})

/** Lists published posts whose date has come, latest date first (B-public-3). */
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
  return { posts: items.map(toPublicPost), hasMore, cursor }
}

/** Finds a published post. Returns undefined if it is a draft, lies in the future or does not exist. */
export async function publishedPost(
  db: Db,
  account: Account,
  now: string,
  slug: string,
): Promise<PublicPostWhole | undefined> {
  const row = await store.findPublished(db, account, now, slug)
  return row && { ...toPublicPost(row), body: row.body }
}
