import { sql } from 'kysely'
import { decodeCursor } from '../../../core/cursor.ts'
import { newId } from '../../../core/ids.ts'
import { type Db, named, type Tx } from '../../../platform/db/open.ts'
import { deleteOwn, insertOwn, ownRows, updateOwn } from '../../../platform/db/own-rows.ts'
import { word } from '../../../platform/db/word.ts'
import type { Scope } from '../../../platform/scope.ts'
import { POST_STATUSES, type Post, type PostQuery } from './schema.ts'
import { FREE_SLUG } from './statements.ts'

const FIELDS = [
  'id',
  'slug',
  'title',
  'excerpt',
  'body',
  'coverImage',
  'status',
  'publishedAt',
  'authorName',
  'tags',
  'metaTitle',
  'metaDescription',
  'marketingCampaignId',
  'createdAt',
  'updatedAt',
] as const

export type PostFields = Omit<Post, 'id' | 'createdAt' | 'updatedAt'>

/** Lists the id and text size of posts, newest first, one more than the page. */
export function listSizes(db: Db, scope: Scope, { status, cursor, limit }: PostQuery) {
  let rows = ownRows(db, scope, 'blogPosts').select([
    'id',
    'createdAt',
    sql<number>`octet_length(body)`.as('bytes'),
  ])
  if (status !== undefined) rows = rows.where('status', '=', word(status, POST_STATUSES))
  if (cursor !== undefined) rows = rows.where('id', '<', decodeCursor(cursor, 'blogPost').id)
  return rows
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
}

export const listOf = (db: Db, scope: Scope, ids: readonly string[]): Promise<Post[]> =>
  ownRows(db, scope, 'blogPosts')
    .select(FIELDS)
    .where('id', '=', sql<string>`any(${[...ids]}::text[])`)
    .orderBy('id', 'desc')
    .execute()

export const find = (db: Db, scope: Scope, id: string): Promise<Post | undefined> =>
  ownRows(db, scope, 'blogPosts').select(FIELDS).where('id', '=', id).executeTakeFirst()

export const lock = (tx: Tx, scope: Scope, id: string): Promise<Post | undefined> =>
  ownRows(tx, scope, 'blogPosts').select(FIELDS).where('id', '=', id).forUpdate().executeTakeFirst()

/** Finds a slug that no post has now, except the post `own`. Another transaction can take it before it is written. */
export async function freeSlug(
  db: Db,
  { accountId }: Scope,
  base: string,
  own: string | null = null,
): Promise<string> {
  const [row] = await named<{ slug: string }>(db, FREE_SLUG, [accountId, base, own])
  return row?.slug ?? base
}

/** Inserts a post. Returns its id, or undefined if the slug is taken. */
export async function insert(tx: Tx, scope: Scope, fields: PostFields): Promise<string | undefined> {
  const stamps = { createdAt: scope.now, updatedAt: scope.now }
  const row = await insertOwn(tx, scope, 'blogPosts', { ...fields, id: newId('blogPost'), ...stamps })
    .onConflict((conflict) => conflict.columns(['accountId', 'slug']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id
}

export const update = (tx: Tx, scope: Scope, id: string, fields: Partial<PostFields>) =>
  updateOwn(tx, scope, 'blogPosts')
    .set({ ...fields, updatedAt: scope.now })
    .where('id', '=', id)
    .execute()

export const remove = (tx: Tx, scope: Scope, id: string) =>
  deleteOwn(tx, scope, 'blogPosts').where('id', '=', id).returning('id').executeTakeFirst()

type Account = Pick<Scope, 'accountId'>

const PUBLIC_FIELDS = [
  'id',
  'slug',
  'title',
  'excerpt',
  'coverImage',
  'publishedAt',
  'authorName',
  'tags',
  'metaTitle',
  'metaDescription',
] as const

const published = (db: Db, account: Account, now: string) =>
  ownRows(db, account, 'blogPosts')
    .where('status', '=', word('published', POST_STATUSES))
    .where('publishedAt', '<=', now)

/** Lists published posts whose date has come, latest date first, after the cursor; one more than `limit`. */
export function listPublished(
  db: Db,
  account: Account,
  now: string,
  { cursor, limit }: { cursor?: string | undefined; limit: number },
) {
  const after = cursor === undefined ? null : decodeCursor(cursor, 'blogPost')
  return published(db, account, now)
    .select(PUBLIC_FIELDS)
    .$if(after !== null, (rows) =>
      rows.where(sql<boolean>`(published_at, id) < (${after?.createdAt}::timestamptz, ${after?.id})`),
    )
    .orderBy('publishedAt', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
}

export const findPublished = (db: Db, account: Account, now: string, slug: string) =>
  published(db, account, now)
    .select([...PUBLIC_FIELDS, 'body'])
    .where('slug', '=', slug)
    .executeTakeFirst()
