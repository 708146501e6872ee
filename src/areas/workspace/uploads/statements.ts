import { type Db, named, namedWrite, type Tx, type WriteDb } from '../../../platform/db/open.ts'
import { statement, writeStatement } from '../../../platform/db/statement.ts'
import type { AccountId } from '../../../platform/scope.ts'
import { askReachable, workspacesWith } from '../../../platform/sharding/holders.ts'
import { KEY_IN_TEXT, THUMBNAIL_ENDING } from './rules.ts'

/**
 * All columns that can name an image; an image that none of them names is removed. A test finds columns that are
 * missing here.
 */
export const NAMING_COLUMNS: readonly (readonly [table: string, column: string])[] = [
  ['products', 'image_url'],
  ['settings', 'logo_url'],
  ['blog_posts', 'cover_image'],
  ['blog_posts', 'body'],
]

const NAMED = NAMING_COLUMNS.map(
  ([table, column]) =>
    `select (regexp_matches(t.${column}, '${KEY_IN_TEXT}', 'g'))[1] as key from ${table} t where t.account_id = $1 and t.${column} like '%/acc/%'`,
).join('\n    union ')

const MARK = writeStatement(
  'uploads_mark_unused',
  `with named (key) as (${NAMED})
    update uploads u set unused_since = case when u.key in (select key from named) then null else $2::timestamptz end
    where u.account_id = $1 and u.stored_at is not null and (u.unused_since is null) = (u.key not in (select key from named))`,
)

/** Records since when images are unused, and clears that time for images that are used again. */
export const markUnused = (db: WriteDb, accountId: AccountId, now: string) =>
  namedWrite(db, MARK, [accountId, now])

const KEEP = writeStatement(
  'uploads_keep',
  `with held as (select u.id from uploads u
      where u.account_id = $1 and u.key = any($2::text[]) and u.stored_at is not null order by u.id for no key update)
    update uploads u set unused_since = null from held where u.account_id = $1 and u.id = held.id
    returning u.key, u.rendered_at is not null as "isRendered"`,
)

/**
 * Marks these images as used. A job that is about to remove one waits and then keeps it. Returns the keys of those
 * with a thumbnail: marking one as rendered waits for this transaction.
 */
export async function keep(tx: Tx, accountId: AccountId, keys: readonly string[]): Promise<string[]> {
  const rows = await namedWrite<{ key: string; isRendered: boolean }>(tx, KEEP, [accountId, keys])
  return rows.flatMap(({ key, isRendered }) => (isRendered ? [key] : []))
}

const HOLDERS = 100
const holders = (among: (alias: string) => string) => `select a.account_id as "accountId" from accounts a
    where a.account_id > $1${among('a')} and exists (select from uploads u where u.account_id = a.account_id${among('u')})
    order by a.account_id limit ${HOLDERS}`
const HOLDERS_OF_ALL = statement(
  'uploads_holders',
  holders(() => ''),
)
const HOLDERS_OF = statement(
  'uploads_holders_of',
  holders((alias) => ` and ${alias}.account_id = any($2)`),
)

/** Lists a portion of the workspaces with uploads, in order, after `last`. */
export const listHolders = (db: WriteDb, last: string) =>
  askReachable<{ accountId: AccountId }>(
    db,
    { table: 'uploads', where: 'account_id > $1', values: [last] },
    (of) => (of === null ? named(db, HOLDERS_OF_ALL, [last]) : named(db, HOLDERS_OF, [last, of])),
    HOLDERS,
  )

const LEFT = statement(
  'uploads_left',
  `select id, key, size from uploads
    where account_id = $1 and (unused_since < $2 or (stored_at is null and created_at < $3)) order by id limit 100`,
)
export type UnusedUpload = { id: string; key: string; size: number | null }

/** Images unused since before `unused`, and addresses signed before `signed`, can be removed. */
export type Edges = { unused: string; signed: string }

/**
 * Lists uploads to remove: images unused for that long, and addresses signed that long ago without a complete upload.
 */
export const listLeft = (db: Db, accountId: AccountId, { unused, signed }: Edges) =>
  named<UnusedUpload>(db, LEFT, [accountId, unused, signed])

const NOT_RENDERED_WHERE = 'stored_at is not null and rendered_at is null and refusal is null'
const NOT_RENDERED = statement(
  'uploads_not_rendered',
  `select id, key, sha256 from uploads
    where account_id = $1 and ${NOT_RENDERED_WHERE} and id > $2 order by id limit 100`,
)
export type StoredImage = { key: string; sha256: string | null }

/** Lists images that were stored before uploads were decoded on arrival, in order of id. */
export const listNotRendered = (db: Db, accountId: AccountId, after: string) =>
  named<StoredImage & { id: string }>(db, NOT_RENDERED, [accountId, after])

export const listWithNotRendered = (db: WriteDb) =>
  workspacesWith(db, { table: 'uploads', where: NOT_RENDERED_WHERE })

const NAME_OF_PRODUCTS = writeStatement(
  'uploads_name_thumbnail_products',
  `with held as (select p.id from products p
      where p.account_id = $1 and p.image_url like '%/' || $2 and p.thumbnail_url is null order by p.id for no key update)
    update products p set thumbnail_url = p.image_url || '${THUMBNAIL_ENDING}' from held
    where p.account_id = $1 and p.id = held.id`,
)
const NAME_OF_SETTINGS = writeStatement(
  'uploads_name_thumbnail_settings',
  `update settings s set thumbnail_url = s.logo_url || '${THUMBNAIL_ENDING}'
    where s.account_id = $1 and s.logo_url like '%/' || $2 and s.thumbnail_url is null`,
)

/** Stores the address of the thumbnail with every address of the image. */
export async function nameThumbnails(db: WriteDb, accountId: AccountId, key: string) {
  await namedWrite(db, NAME_OF_PRODUCTS, [accountId, key])
  await namedWrite(db, NAME_OF_SETTINGS, [accountId, key])
}
