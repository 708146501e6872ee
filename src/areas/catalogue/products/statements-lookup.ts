import { isEan13, readScaleBarcode, type ScaleBarcode } from '../../../core/scale-barcodes.ts'
import { requireKey, validKeys } from '../../../platform/auth/statements.ts'
import { anyOf, batchReads } from '../../../platform/db/batch-reads.ts'
import { type Db, isSharded, named } from '../../../platform/db/open.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { Scope } from '../../../platform/scope.ts'
import { weighedMatch } from './scales.ts'
import type { Match } from './schema.ts'
import { keysOf } from './sound.ts'

/** The pack of the variant `v` with the id `packId`, with its price. */
const packOf = (packId: string) => `(select json_build_object('id', k.id, 'name', k.name, 'factor', k.factor,
      'barcode', k.barcode, 'price', coalesce(k.price, case v.sold_by when 'WEIGHT' then (2 * k.factor * v.price + 1000) / 2000 else k.factor * v.price end))
    from jsonb_to_recordset(v.packs) as k(id text, name text, factor int, barcode text, price bigint) where k.id = ${packId})`
const NO_PACK = 'null::json'

const matchOf = (
  pack: string,
) => `p.id as "productId", p.name as "productName", v.id as "variantId", v.name as "variantName", v.sku,
  v.barcode, v.price, v.sold_by as "soldBy", null::int as quantity, null::bigint as "labelPrice", ${pack} as pack, v.is_composite as "isComposite", p.image_url as "imageUrl",
  p.thumbnail_url as "thumbnailUrl"`
const MATCH = matchOf(NO_PACK)
const PRODUCT = 'join products p on p.account_id = $1 and p.id = v.product_id'
const LIVE = 'account_id = $1 and is_live'

const BARCODES = statement(
  'lookup_barcodes',
  `select ${MATCH} from variants v ${PRODUCT} where v.account_id = $1 and v.is_live and v.barcode = ${anyOf('$2')}`,
)

const byBarcode = batchReads<Match>(async (db, accountId, barcodes) => {
  const rows = await named<Match>(db, BARCODES, [accountId, barcodes])
  return new Map(rows.map((row) => [row.barcode ?? '', row]))
})

/** The barcodes that are not the first one of their variant. */
const OTHER_BARCODES = statement(
  'lookup_other_barcodes',
  `select ${matchOf(packOf('b.pack_id'))}, b.barcode as code from variant_barcodes b
    join variants v on v.account_id = $1 and v.id = b.variant_id ${PRODUCT}
    where b.account_id = $1 and b.barcode = ${anyOf('$2')}`,
)

const byOtherBarcode = batchReads<Match>(async (db, accountId, barcodes) => {
  const rows = await named<Match & { code: string }>(db, OTHER_BARCODES, [accountId, barcodes])
  return new Map(rows.map(({ code, ...match }) => [code, match]))
})

const ofProduct = (column: string) =>
  `(select p.${column} from products p where p.account_id = $1 and p.id = v.product_id)`
/**
 * On a sharded database each statement costs a network round trip, and both nodes plan it. This statement therefore
 * also checks the callers' API keys. It reads the product without a join, because planning the join would take most
 * of the time.
 */
const PROVED = statement(
  'lookup_barcodes_spread',
  `select v.product_id as "productId", ${ofProduct('name')} as "productName", v.id as "variantId", v.name as "variantName",
      v.sku, v.barcode, v.price, v.sold_by as "soldBy", null::int as quantity, null::bigint as "labelPrice", ${NO_PACK} as pack, v.is_composite as "isComposite", ${ofProduct('image_url')} as "imageUrl",
      ${ofProduct('thumbnail_url')} as "thumbnailUrl",
      ${validKeys('any($3::text[])')} as keys
    from variants v where v.account_id = $1 and v.is_live and v.barcode = any($2::text[])`,
)

const keyIn = ({ actor }: Scope): string => (actor.kind === 'apiKey' ? actor.id : '')
const pairOf = (text: string) => {
  const [key = ''] = text.split(' ', 1)
  return { text, key, barcode: text.slice(key.length + 1) }
}

/** Each lookup names the id of the caller's API key, if any, and the barcode. With an invalid key it finds no row. */
const provedByBarcode = batchReads<Match>(async (db, accountId, asked) => {
  const pairs = asked.map(pairOf)
  const [barcodes, keys] = [
    new Set(pairs.map(({ barcode }) => barcode)),
    new Set(pairs.map(({ key }) => key)),
  ]
  const rows = await named<Match & { keys: string[] }>(db, PROVED, [accountId, [...barcodes], [...keys]])
  const matches = new Map(rows.map(({ keys: _, ...match }) => [match.barcode ?? '', match]))
  const valid = new Set(['', ...(rows[0]?.keys ?? [])])
  return new Map(
    pairs.flatMap(({ text, key, barcode }) => {
      const match = matches.get(barcode)
      return match && valid.has(key) ? [[text, match]] : []
    }),
  )
})

/**
 * Finds the one live variant with this barcode, or with a pack that has it (B-pack-4). Tills read nothing more often, so concurrent scans share a statement.
 * On a sharded database it also checks the API key and throws `authRequired` if the key is no longer valid.
 */
export async function findByBarcode(db: Db, scope: Scope, barcode: string): Promise<Match[]> {
  const match = isSharded(db)
    ? await provedByBarcode(db, scope.accountId, `${keyIn(scope)} ${barcode}`)
    : await byBarcode(db, scope.accountId, barcode)
  if (match) return [match]
  await requireProved(db, scope)
  const other = await byOtherBarcode(db, scope.accountId, barcode)
  if (other) return [other]
  return isEan13(barcode) && barcode.startsWith(SCALE) ? findWeighed(db, scope, barcode) : []
}

/** What every prefix of a scale begins with (B-scale-1). */
const SCALE = '2'
const SCALE_FORMATS = statement(
  'lookup_scale_formats',
  'select s.scale_barcodes as formats from settings s where s.account_id = $1',
)
/** Weighed goods by the code on a scale: a barcode wins over a SKU. */
const WEIGHED = statement(
  'lookup_weighed',
  `with hits as (
      (select 0 as step, v.* from variant_barcodes b join variants v on v.account_id = $1 and v.id = b.variant_id
        where b.account_id = $1 and b.barcode = (select $2::text) and b.pack_id is null and v.sold_by = 'WEIGHT')
      union all (select 1, v.* from variants v where ${LIVE} and lower(sku) collate "C" = (select lower($2::text))
        and v.sold_by = 'WEIGHT' limit 1))
    select ${MATCH} from hits v ${PRODUCT} order by v.step limit 1`,
)

/** Reads the barcode of a scale by the settings, and finds the goods that it names (B-scale-2). */
async function findWeighed(db: Db, scope: Scope, barcode: string): Promise<Match[]> {
  const [settings] = await named<{ formats: ScaleBarcode[] }>(db, SCALE_FORMATS, [scope.accountId])
  const label = readScaleBarcode(barcode, settings?.formats ?? [])
  if (!label) return []
  const [match] = await named<Match>(db, WEIGHED, [scope.accountId, label.itemCode])
  return match ? [weighedMatch(match, label)] : []
}

/** On a sharded database, checks the API key of a caller who searches or whose barcode was not found. */
export async function requireProved(db: Db, scope: Scope) {
  if (isSharded(db)) await requireKey(db, scope)
}

// Each step reads one index and stops early, so its cost does not grow with the catalogue. Ranges replace LIKE 'x%':
// a prepared LIKE cannot become a range scan, and a range returns sorted rows. Parameters are in a separate subquery,
// where the planner cannot see their values. The planner therefore keeps one plan; planning each search again takes
// longer than the search.
const CODES_AND_PREFIXES = statement(
  'lookup_prefix',
  `with hits as (
      (select 0 as step, b.pack_id, v.* from variant_barcodes b join variants v on v.account_id = $1 and v.id = b.variant_id
        where b.account_id = $1 and b.barcode = (select $2::text))
      union all (select 1, null, v.* from variants v where ${LIVE} and lower(sku) collate "C" = (select $3::text) limit 20)
      union all (select 2, null, v.* from variants v where ${LIVE} and search_text collate "C" >= (select $3::text)
        and search_text collate "C" < (select $4::text) order by search_text collate "C" limit 20)
      union all (select 3, null, v.* from variants v where ${LIVE} and lower(sku) collate "C" >= (select $3::text)
        and lower(sku) collate "C" < (select $4::text) order by lower(sku) collate "C" limit 20))
    select ${matchOf(packOf('v.pack_id'))} from hits v ${PRODUCT} order by v.step, v.search_text collate "C", v.id`,
)

// The planner plans a materialized CTE for all its rows, so it uses the index. Yet the CTE is read only up to the
// limit. The index searches for the few letters of $2 only, because each further trigram costs time. The found rows
// are then compared with $3.
const SUBSTRING = statement(
  'lookup_substring',
  `with hits as materialized (select * from variants where ${LIVE} and search_text like (select $2::text))
    select ${MATCH} from (select * from hits where search_text like $3 limit 100) v ${PRODUCT}
    order by v.search_text collate "C", v.id`,
)

/** The caller ranks the rows by the similarity of their `searchText` (B-lookup-2). */
const ALIKE = statement(
  'lookup_alike',
  `with hits as materialized (select * from variants
      where ${LIVE} and ${keysOf('account_id', 'search_words')} @@ (select $2::tsquery))
    select ${MATCH}, v.search_text as "searchText" from (select * from hits limit 60) v ${PRODUCT}
    order by v.search_text collate "C", v.id`,
)

/** Finds variants whose search text contains most of the trigrams of the word. */
const SIMILAR = statement(
  'lookup_similar',
  `with hits as materialized (select * from variants where ${LIVE} and search_text %> (select $2::text))
    select ${MATCH} from (select * from hits limit 60) v ${PRODUCT}
    order by word_similarity($2::text, v.search_text) desc, v.search_text collate "C", v.id`,
)

// A text of one or two letters has no trigram. The statement reads the first part of the catalogue in order instead.
const FEW_LETTERS = statement(
  'lookup_few_letters',
  `with hits as materialized (
      select * from variants where ${LIVE} order by search_text collate "C" limit 2000)
    select ${MATCH} from (select * from hits where search_text like $2 limit 100) v ${PRODUCT}
    order by v.search_text collate "C", v.id`,
)

/** All statements of the search, for tests of their query plans. */
export const STATEMENTS = {
  BARCODES,
  OTHER_BARCODES,
  WEIGHED,
  PROVED,
  CODES_AND_PREFIXES,
  SUBSTRING,
  ALIKE,
  SIMILAR,
  FEW_LETTERS,
}

/** `text` is in lower case; `end` sorts after every text that begins with `text`. */
export const findByCodeOrPrefix = (db: Db, scope: Scope, [q, text, end]: readonly [string, string, string]) =>
  named<Match>(db, CODES_AND_PREFIXES, [scope.accountId, q, text, end])

/** `anchors` is the LIKE pattern that the index reads; every text that matches `pattern` matches it too. */
export const findBySubstring = (
  db: Db,
  scope: Scope,
  { anchors, pattern }: { anchors: string; pattern: string },
) => named<Match>(db, SUBSTRING, [scope.accountId, anchors, pattern])

export const findByFewLetters = (db: Db, scope: Scope, pattern: string) =>
  named<Match>(db, FEW_LETTERS, [scope.accountId, pattern])

/** Matches a text with a word that sounds like one of `sounds` or begins with the sound `prefix`. */
export type WordQuery = { sounds: readonly string[]; prefix?: string }

/** Finds up to 60 variants that match each of the words, ordered by their search text. */
export async function findAlike(
  db: Db,
  scope: Scope,
  words: readonly WordQuery[],
): Promise<{ match: Match; searchText: string }[]> {
  // Sounds contain only letters, so they need no escaping.
  const lexeme = (sound: string) => `'${scope.accountId}:${sound}'`
  const alternatives = ({ sounds, prefix }: WordQuery) =>
    [...sounds.map(lexeme), ...(prefix === undefined ? [] : [`${lexeme(prefix)}:*`])].join(' | ')
  const query = words.map((word) => `(${alternatives(word)})`).join(' & ')
  const rows = await named<Match & { searchText: string }>(db, ALIKE, [scope.accountId, query])
  return rows.map(({ searchText, ...match }) => ({ match, searchText }))
}

export const findSimilar = (db: Db, scope: Scope, word: string) =>
  named<Match>(db, SIMILAR, [scope.accountId, word])
