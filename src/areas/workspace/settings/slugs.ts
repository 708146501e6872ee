import { randomBytes } from 'node:crypto'
import { ApiError, conflict, invalid } from '../../../core/errors.ts'
import { slugOf } from '../../../core/text.ts'
import type { Db, Tx } from '../../../platform/db/open.ts'
import type { AccountId, Scope } from '../../../platform/scope.ts'
import type { Settings } from './schema.ts'
import * as store from './store.ts'

/** Slugs are never released, so the number of changes is limited. */
const MOST_SLUGS = 10

/**
 * Gives the workspace a slug (B-settings-4). Throws 409 with param `publicSlug` if another workspace has it, 409
 * above the limit, and 422 for null if the workspace already has one.
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
    throw conflict(
      `A workspace can have at most ${MOST_SLUGS} public addresses. Choose one of your earlier ones`,
    )
  if (await store.takeSlug(tx, scope, slug)) return
  throw new ApiError('CONFLICT', `${slug} is already taken; choose another public address`, {
    param: 'publicSlug',
  })
}

/** The slug of names that are too short or contain no Latin letters. */
const NAMELESS = 'shop'
const TRIES = 8

/** Converts a name to the letters of an address, with room for a suffix. */
function baseOf(name: string): string {
  const base = slugOf(slugOf(name, 200).replaceAll(/[^a-z0-9-]/g, ''), 40)
  return base.length < 3 ? NAMELESS : base
}

/** Reserves a unique slug for a workspace with this name. */
export async function makeSlug(tx: Tx, scope: Scope, name: string): Promise<string> {
  const base = baseOf(name)
  for (let tried = 0; tried < TRIES; tried += 1) {
    const slug = tried === 0 ? base : `${base}-${randomBytes(3).toString('hex')}`
    if (await store.takeSlug(tx, scope, slug)) return slug
  }
  throw new Error('no slug with six random characters was free')
}

/** Finds the workspace with this public address. Returns undefined if there is none. */
export const workspaceAt = async (db: Db, slug: string): Promise<AccountId | undefined> =>
  (await store.findBySlug(db, slug))?.accountId as AccountId | undefined
