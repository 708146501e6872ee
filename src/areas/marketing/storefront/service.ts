import type { FastifyReply, FastifyRequest } from 'fastify'
import { notFound } from '../../../core/errors.ts'
import { siteOf } from '../../../core/links.ts'
import { fairPlaces } from '../../../platform/db/places.ts'
import type { Deps } from '../../../platform/deps.ts'
import { isUnchanged } from '../../../platform/http/cached.ts'
import type { AccountId } from '../../../platform/scope.ts'
import { modulesOf } from '../../workspace/modules/index.ts'
import { workspaceAt } from '../../workspace/settings/index.ts'
import { publishedPost, publishedPosts } from '../blog/index.ts'
import { getFeeds, publicFeed } from '../feeds/index.ts'
import { visitLink } from '../referrals/index.ts'

type Tools = Pick<Deps, 'db' | 'config'>
type Account = { accountId: AccountId }
type FeedTools = Tools & Pick<Deps, 'clock' | 'keptFiles'>
type StorefrontRequest = {
  deps: FeedTools
  params: { accountSlug: string }
  request: FastifyRequest
  reply: FastifyReply
}

/** Finds the workspace at a public address. Throws 404 if it does not exist or its module is off (B-public-1). */
async function workspaceOf(deps: Tools, slug: string, now: string): Promise<Account> {
  const account = await accountAt(deps, slug)
  await requireOpen(deps, account, now)
  return account
}

async function accountAt({ db }: Tools, slug: string): Promise<Account> {
  const accountId = await workspaceAt(db, slug)
  if (accountId === undefined) throw notFound('public address')
  return { accountId }
}

async function requireOpen(deps: Tools, account: Account, now: string) {
  if (!(await modulesOf(deps, account, now)).has('marketing')) throw notFound('public address')
}

/** The number of connections that feeds can use at the same time in one process. */
const PLACES = 3
const WAIT_MS = 10_000
const readers = fairPlaces({ places: PLACES, waitMs: WAIT_MS })

/**
 * Streams the whole feed while reading it, so that neither the catalogue nor the queue for a slow client fills the
 * memory (B-public-2).
 */
export async function sendFeed(
  { deps, params, request, reply }: StorefrontRequest,
  format: Parameters<typeof publicFeed>[3]['format'],
  seconds: number,
): Promise<unknown> {
  const account = await accountAt(deps, params.accountSlug)
  const [feed] = await Promise.all([
    publicFeed(deps, deps.db, account, {
      format,
      within: (work) => readers.within(account.accountId, work),
    }),
    requireOpen(deps, account, request.now),
  ])
  if (feed === undefined) throw notFound('public address')
  if (isUnchanged(request, reply, feed.version, seconds)) return reply.code(304).send()
  reply.type(feed.contentType)
  if (request.method === 'HEAD') return reply.send('')
  return reply.send(await feed.read())
}

export async function listPosts(
  deps: Tools,
  now: string,
  slug: string,
  page: { limit: number; cursor?: string },
) {
  return publishedPosts(deps.db, await workspaceOf(deps, slug, now), now, page)
}

export async function findPost(deps: Tools, now: string, accountSlug: string, slug: string) {
  const post = await publishedPost(deps.db, await workspaceOf(deps, accountSlug, now), now, slug)
  if (post === undefined) throw notFound('blog post')
  return post
}

/** Returns the target of the link with this code, or undefined if it has none. */
export async function findLink(
  deps: Pick<Deps, 'db' | 'config'>,
  now: string,
  slug: string,
  { code, isCounted }: { code: string; isCounted: boolean },
): Promise<string | undefined> {
  const account = await workspaceOf(deps, slug, now)
  const { productUrl } = await getFeeds(deps.db, account)
  const elsewhere = productUrl === null ? null : siteOf(productUrl)
  return visitLink(deps.db, account, { code, now, isCounted, elsewhere })
}
