import { encodeCursor, type Page } from '../../../core/cursor.ts'
import { ApiError, conflict, malformed, notFound } from '../../../core/errors.ts'
import { clearEmpty, emptyToNull, slugOf } from '../../../core/text.ts'
import type { Db, Tx } from '../../../platform/db/open.ts'
import { isUniqueViolation } from '../../../platform/db/pg-errors.ts'
import type { Scope } from '../../../platform/scope.ts'
import { keepReferenced } from '../../workspace/uploads/index.ts'
import { countWithin, publicationOf, readPublishedAt, slugOfTitle } from './rules.ts'
import { MAX_SLUG, type Post, type PostIn, type PostPatch, type PostQuery } from './schema.ts'
import * as store from './store.ts'

/** The limit of text per page: two hundred long posts would be a hundred megabytes. */
const PAGE_BYTES = 4_000_000

/**
 * Lists posts, newest first. A page of long posts can have fewer posts than `limit`, with `hasMore` true (B-blog-4).
 */
export async function listPosts(db: Db, scope: Scope, query: PostQuery): Promise<Page<Post>> {
  const found = await store.listSizes(db, scope, query)
  const count = countWithin(
    found.map(({ bytes }) => bytes),
    query.limit,
    PAGE_BYTES,
  )
  const shown = found.slice(0, count)
  const last = shown.at(-1)
  const hasMore = found.length > count
  const items = await store.listOf(
    db,
    scope,
    shown.map(({ id }) => id),
  )
  return { items, hasMore, cursor: hasMore && last ? encodeCursor(last) : null }
}

export async function getPost(db: Db, scope: Scope, id: string): Promise<Post> {
  const post = await store.find(db, scope, id)
  if (!post) throw notFound('blog post')
  return post
}

const slugTaken = (slug: string, cause?: unknown) =>
  new ApiError('CONFLICT', `Another post already has the slug ${slug}; choose another one`, {
    param: 'slug',
    cause,
  })

/** Normalizes a sent slug; undefined if none is sent. Throws 400 if no letter or digit is left. */
function readSlug(sent: string | undefined): string | undefined {
  if (sent === undefined || sent === '') return undefined
  const slug = slugOf(sent, MAX_SLUG)
  if (slug === '') throw malformed('slug', 'slug must contain a letter or a digit')
  return slug
}

const CLEARED = [
  'excerpt',
  'coverImage',
  'authorName',
  'metaTitle',
  'metaDescription',
  'marketingCampaignId',
] as const

const uniqueTags = (tags: readonly string[]) => [...new Set(tags)]

/** Creates a post and publishes it if `status` is PUBLISHED. Throws 409 if another post has the slug (B-blog-2). */
export async function createPost(tx: Tx, scope: Scope, input: PostIn): Promise<Post> {
  const fields = {
    title: input.title,
    body: input.body,
    excerpt: emptyToNull(input.excerpt),
    coverImage: emptyToNull(input.coverImage),
    authorName: emptyToNull(input.authorName),
    tags: uniqueTags(input.tags ?? []),
    metaTitle: emptyToNull(input.metaTitle),
    metaDescription: emptyToNull(input.metaDescription),
    marketingCampaignId: emptyToNull(input.marketingCampaignId),
    ...publicationOf(
      { status: 'draft', publishedAt: null },
      { status: input.status ?? 'draft', publishedAt: readPublishedAt(input.publishedAt) ?? null },
      scope.now,
    ),
  }
  await keepReferenced(tx, scope, [fields.coverImage, fields.body])
  const asked = readSlug(input.slug)
  const id =
    asked === undefined
      ? await insertWithFreeSlug(tx, scope, fields)
      : await store.insert(tx, scope, { ...fields, slug: asked })
  if (id === undefined) throw slugTaken(asked ?? '')
  return getPost(tx, scope, id)
}

/** A try fails only if another transaction has committed a post with the same slug meanwhile. */
const TRIES = 200

async function insertWithFreeSlug(tx: Tx, scope: Scope, fields: Omit<store.PostFields, 'slug'>) {
  const base = slugOfTitle(fields.title)
  for (let tried = 0; tried < TRIES; tried += 1) {
    const slug = await store.freeSlug(tx, scope, base)
    const id = await store.insert(tx, scope, { ...fields, slug })
    if (id !== undefined) return id
  }
  throw titleCrowded()
}

const titleCrowded = () =>
  conflict('Too many posts with this title are being created; send the request again')

/** Changes a post. A change of the title keeps the slug, because readers use its address. */
export async function updatePost(tx: Tx, scope: Scope, id: string, patch: PostPatch): Promise<Post> {
  const before = await store.lock(tx, scope, id)
  if (!before) throw notFound('blog post')
  if (Object.keys(patch).length === 0) return before
  const { slug: sent, publishedAt: date, tags, ...rest } = patch
  const publishedAt = readPublishedAt(date)
  const slug =
    sent === ''
      ? await store.freeSlug(tx, scope, slugOfTitle(rest.title ?? before.title), id)
      : readSlug(sent)
  const fields = {
    ...clearEmpty(rest, CLEARED),
    ...(tags && { tags: uniqueTags(tags) }),
    ...(slug !== undefined && { slug }),
    ...publicationOf(
      before,
      { status: rest.status ?? before.status, ...(publishedAt !== undefined && { publishedAt }) },
      scope.now,
    ),
  }
  await keepReferenced(tx, scope, [rest.coverImage, rest.body])
  await store.update(tx, scope, id, fields).catch((error: unknown) => {
    if (!isUniqueViolation(error)) throw error
    throw sent === '' ? titleCrowded() : slugTaken(slug ?? before.slug, error)
  })
  return getPost(tx, scope, id)
}

/**
 * Publishes or unpublishes a post. A post that already has the status does not change, and neither does its
 * `updatedAt` (B-blog-3).
 */
export async function setStatus(tx: Tx, scope: Scope, id: string, status: Post['status']): Promise<Post> {
  const before = await store.lock(tx, scope, id)
  if (!before) throw notFound('blog post')
  return before.status === status ? before : updatePost(tx, scope, id, { status })
}

export async function deletePost(tx: Tx, scope: Scope, id: string) {
  if (!(await store.remove(tx, scope, id))) throw notFound('blog post')
  return { id, deleted: true as const }
}
