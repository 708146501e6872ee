import { assert } from '../../../core/assert.ts'
import { malformed } from '../../../core/errors.ts'
import { siteOf } from '../../../core/links.ts'
import { addressOf, type Config } from '../../../platform/config/config.ts'
import type { Db, Tx } from '../../../platform/db/open.ts'
import { type ListResult, listed, texts } from '../../../platform/http/whole.ts'
import type { Scope } from '../../../platform/scope.ts'
import { ensurePublicSlug, getSettings } from '../../workspace/settings/index.ts'
import { DEFAULTS, LAST_EVENT, readProgram } from './rules.ts'
import type { Attribution, Link, Program, ProgramIn } from './schema.ts'
import * as store from './store.ts'

export const getProgram = async (db: Db, scope: Scope): Promise<Program> =>
  (await store.find(db, scope)) ?? { ...DEFAULTS, createdAt: null, updatedAt: null }

/** Replaces the whole program. A program counts sales from the moment it is switched on (B-referral-2). */
export async function replaceProgram(tx: Tx, scope: Scope, input: ProgramIn): Promise<Program> {
  const values = readProgram(input)
  if (values.landingUrl !== null && siteOf(values.landingUrl) === null)
    throw malformed('landingUrl', 'landingUrl must be an http or https address')
  const before = await store.lock(tx, scope)
  const wasOn = (before?.enabledAt ?? null) !== null
  if (values.enabled) await ensurePublicSlug(tx, scope)
  await store.replace(tx, scope, values, {
    enabledAt: values.enabled ? (before?.enabledAt ?? scope.now) : null,
    from: values.enabled && !wasOn ? { tx: await store.horizon(tx), id: LAST_EVENT } : null,
  })
  const made = await store.find(tx, scope)
  assert(made, 'a program that was written exists')
  return made
}

type Page = { limit?: number; cursor?: string }

/** Newest first. */
export async function listLinks(
  { config }: { config: Config },
  db: Db,
  scope: Scope,
  page: Page,
): Promise<ListResult<Link>> {
  const { publicSlug } = await getSettings(db, scope)
  const base = `${addressOf(config)}/api/v1/public/${publicSlug}/r/`
  return listed<Link>(page, {
    name: 'referralLinks',
    keyOf: ({ id }) => [id],
    isKey: texts(1),
    read: async (span) =>
      (await store.listLinks(db, scope, span)).map((link) => ({ ...link, url: `${base}${link.code}` })),
  })
}

/** Newest first. */
export const listAttributions = (db: Db, scope: Scope, page: Page): Promise<ListResult<Attribution>> =>
  listed<Attribution>(page, {
    name: 'referralAttributions',
    keyOf: ({ id }) => [id],
    isKey: texts(1),
    read: (span) => store.listAttributions(db, scope, span),
  })
