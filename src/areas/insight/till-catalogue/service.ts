import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import { approvalsFrom } from '../../../core/approvals.ts'
import { malformed, notFound } from '../../../core/errors.ts'
import { SETTINGS_DEFAULTS } from '../../../core/settings.ts'
import type { Db } from '../../../platform/db/open.ts'
import { fairPlaces } from '../../../platform/db/places.ts'
import type { Deps } from '../../../platform/deps.ts'
import { dataFrame } from '../../../platform/http/envelope.ts'
import { sendChunks } from '../../../platform/http/whole.ts'
import type { Scope } from '../../../platform/scope.ts'
import type { CatalogueQuery } from './schema.ts'
import * as statements from './statements.ts'

/** Rows of one statement: some hundred kilobytes of JSON. */
const PORTION = 2_000
/** Changed records of one statement. */
const CHANGED_PORTION = 1_000
/** A till that missed more changes reads the whole catalogue, in portions: the process holds no longer list. */
const MOST_CHANGES = 5_000
/** Connections that catalogues take at the same time in one process, shared fairly between workspaces. */
const readers = fairPlaces({ places: 3, waitMs: 10_000 })

type CatalogueRequest = {
  deps: Deps
  db: Db
  scope: Scope
  query: Static<typeof CatalogueQuery>
  request: FastifyRequest
  reply: FastifyReply
}

/** Sends the catalogue of a till, whole or since a version (B-catalogue-1). 304 reads no goods. */
export async function sendCatalogue({ deps, db, scope, query, request, reply }: CatalogueRequest) {
  const { outletId } = query
  const since = query.since === undefined ? null : versionFrom(query.since)
  const withSlot = <T>(work: () => Promise<T>) => deps.slots.within(scope.accountId, work)
  const head = await withSlot(() => statements.findHead(db, scope, outletId, since))
  if (!head?.outlet) throw notFound('outlet', 'outletId')
  if (!head.isKnown) throw unknownVersion()
  const version = `${head.version}-${head.tag}`
  const tag = `W/"${version}.${outletId}"`
  reply.headers({ etag: tag, 'cache-control': 'private, no-cache' })
  const known = (request.headers['if-none-match'] ?? '').split(',').map((one) => one.trim())
  if (known.includes('*') || known.includes(tag) || known.includes(tag.slice(2)))
    return reply.code(304).send()
  reply.type('application/json; charset=utf-8')
  if (request.method === 'HEAD') return reply.send('')
  const changes = since === null ? null : await withSlot(() => findChanges(db, scope, since.version))
  const opening = {
    version,
    isWhole: changes === null,
    outlet: head.outlet,
    settings: settingsOf(head),
  }
  const meta = { requestId: request.id, timestamp: request.now }
  const frame = dataFrame(meta)
  const within = <T>(work: () => Promise<T>) => readers.within(scope.accountId, work)
  async function* chunks() {
    try {
      yield `${frame.head}${JSON.stringify(opening).slice(0, -1)}`
      for (const name of statements.PART_NAMES) {
        yield `,"${name}":[`
        yield* changes === null
          ? wholePart((after) =>
              within(() => statements.readWhole(db, scope, name, { outletId, after, limit: PORTION })),
            )
          : changedPart(idsOf(changes, name), (ids) =>
              within(() => statements.readChanged(db, scope, name, { outletId, ids })),
            )
        yield ']'
      }
      const removed =
        changes === null || changes.length === 0
          ? []
          : await within(() => statements.listRemoved(db, scope, outletId, changes))
      yield `,"removed":${JSON.stringify(removed)}}${frame.tail}`
    } catch (error) {
      // The status is already sent, so the only signal left is an incomplete response.
      request.log.warn({ err: error }, 'a catalogue ended early')
      throw error
    }
  }
  return sendChunks(reply, chunks())
}

/** What changed after a version; null if it is too much to list. */
async function findChanges(db: Db, scope: Scope, version: number) {
  const changes = await statements.listChanges(db, scope, version, MOST_CHANGES + 1)
  return changes.length > MOST_CHANGES ? null : changes
}

async function* wholePart(read: (after: string) => Promise<statements.CataloguePortion>) {
  let separator = ''
  for (let after: string | null = ''; after !== null; ) {
    const { text, last, n }: statements.CataloguePortion = await read(after)
    if (text !== null) yield `${separator}${text}`
    separator = ','
    after = n < PORTION ? null : last
  }
}

async function* changedPart(
  ids: readonly string[],
  read: (ids: readonly string[]) => Promise<statements.CataloguePortion>,
) {
  let separator = ''
  for (let from = 0; from < ids.length; from += CHANGED_PORTION) {
    const { text } = await read(ids.slice(from, from + CHANGED_PORTION))
    if (text === null) continue
    yield `${separator}${text}`
    separator = ','
  }
}

/** Variants are found by their products. */
const TYPE_OF: Record<statements.PartName, string> = {
  categories: 'category',
  products: 'product',
  variants: 'product',
  modifierGroups: 'modifierGroup',
  floors: 'floor',
  tables: 'table',
  priceLists: 'priceList',
  promotions: 'promotion',
  members: 'member',
}
const idsOf = (changes: readonly statements.Change[], name: statements.PartName) =>
  changes.flatMap(({ type, id }) => (type === TYPE_OF[name] ? [id] : []))

function settingsOf({ settings, accountName }: statements.Head) {
  const { secondFactorRequired, publicSlug, thumbnailUrl, ...defaults } = SETTINGS_DEFAULTS
  const stored = settings ?? { businessName: accountName, ...defaults }
  return { ...stored, approvals: approvalsFrom(stored['approvals'] as Parameters<typeof approvalsFrom>[0]) }
}

const VERSION = /^(\d{1,15})-([0-9a-f]{0,12})$/

function versionFrom(text: string): { version: number; tag: string } {
  const [, version, tag] = VERSION.exec(text) ?? []
  if (version === undefined || tag === undefined) throw unknownVersion()
  return { version: Number(version), tag }
}

const unknownVersion = () =>
  malformed(
    'since',
    'This version of the catalogue is unknown or older than 30 days: read the whole catalogue without since',
  )
