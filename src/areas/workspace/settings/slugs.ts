import { randomBytes } from 'node:crypto'
import { ApiError, conflict, invalid } from '../../../core/errors.ts'
import { slugOf } from '../../../core/text.ts'
import type { Db, Tx } from '../../../platform/db/open.ts'
import type { AccountId, Scope } from '../../../platform/scope.ts'
import type { Settings } from './schema.ts'
import * as store from './store.ts'

/** Slugs are kept for good, so nobody may take one after the other. */
const MOST_SLUGS = 10

/**
 * Makes the slug the workspace's own. 409 with param `publicSlug` when it is another's, 409 for one too many, 422 for none
 * where there is one (B-settings-4).
 */
export async function requireSlug(
  tx: Tx,
  scope: Scope,
  { publicSlug }: Pick<Settings, 'publicSlug'>,
  slug: string | null,
): Promise<void> {
  if (slug === publicSlug) return
  if (slug === null) throw invalid('publicSlug', 'A public address can be changed but not removed')
  const known = await store.findBySlug(tx, slug)
  if (known === undefined && (await store.countSlugs(tx, scope)) >= MOST_SLUGS)
    throw conflict(`A workspace has ${MOST_SLUGS} public addresses at most; take one of your earlier ones`)
  if (await store.takeSlug(tx, scope, slug)) return
  throw new ApiError('CONFLICT', `${slug} is already taken; choose another public address`, {
    param: 'publicSlug',
  })
}

/** Names that are too short, or in other letters, get this one. */
const NAMELESS = 'shop'
const TRIES = 8

/** In the letters of an address, and with room for what tells it from others. */
function baseOf(name: string): string {
  const base = slugOf(slugOf(name, 200).replaceAll(/[^a-z0-9-]/g, ''), 40)
  return base.length < 3 ? NAMELESS : base
}

/** A slug of its own for a workspace of this name. */
export async function makeSlug(tx: Tx, scope: Scope, name: string): Promise<string> {
  const base = baseOf(name)
  for (let tried = 0; tried < TRIES; tried += 1) {
    const slug = tried === 0 ? base : `${base}-${randomBytes(3).toString('hex')}`
    if (await store.takeSlug(tx, scope, slug)) return slug
  }
  throw new Error('no slug with six random signs was free')
}

/** Whose public address it is; undefined when nobody's. */
export const workspaceAt = async (db: Db, slug: string): Promise<AccountId | undefined> =>
  (await store.findBySlug(db, slug))?.accountId as AccountId | undefined
