import { type Db, named, namedWrite, type Tx, type WriteDb } from '../../../platform/db/open.ts'
import { statement, writeStatement } from '../../../platform/db/statement.ts'
import type { AccountId } from '../../../platform/scope.ts'
import { askReachable } from '../../../platform/sharding/holders.ts'
import { KEY_IN_TEXT } from './rules.ts'

/**
 * Every column that may name an image, by its table: what none of them names is removed. A test finds columns that look as
 * if they did and are not here.
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

/** Notes since when images are named by nothing, and forgets it of those that are named again. */
export const markUnused = (db: WriteDb, accountId: AccountId, now: string) =>
  namedWrite(db, MARK, [accountId, now])

const KEEP = writeStatement(
  'uploads_keep',
  `with held as (select u.id from uploads u
      where u.account_id = $1 and u.key = any($2::text[]) and u.unused_since is not null and u.stored_at is not null
      order by u.id for no key update)
    update uploads u set unused_since = null from held where u.account_id = $1 and u.id = held.id`,
)

/** Forgets since when these images were unused; whoever is about to remove one waits, and leaves it. */
export const keep = (tx: Tx, accountId: AccountId, keys: readonly string[]) =>
  namedWrite(tx, KEEP, [accountId, keys])

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

/** Workspaces that have uploads, a portion in order, behind `last`. */
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
export type Left = { id: string; key: string; size: number | null }

/** Before `unused` an image was named for the last time, before `signed` an address was signed. */
export type Edges = { unused: string; signed: string }

/** What may go: unused for that long, or signed that long ago and never sent whole. */
export const listLeft = (db: Db, accountId: AccountId, { unused, signed }: Edges) =>
  named<Left>(db, LEFT, [accountId, unused, signed])
