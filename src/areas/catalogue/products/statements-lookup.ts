import { requireKey, validKeys } from '../../../platform/auth/statements.ts'
import { anyOf, batchReads } from '../../../platform/db/batch-reads.ts'
import { type Db, isSharded, named } from '../../../platform/db/open.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { Scope } from '../../../platform/scope.ts'
import type { Match } from './schema.ts'
import { soundOf } from './sound.ts'

const MATCH = `p.id as "productId", p.name as "productName", v.id as "variantId", v.name as "variantName", v.sku,
  v.barcode, v.price, v.is_composite as "isComposite", p.image_url as "imageUrl"`
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

const ofProduct = (column: string) =>
  `(select p.${column} from products p where p.account_id = $1 and p.id = v.product_id)`
/**
 * Where rows are spread over workers every statement is a way of its own, planned at both ends: there the look proves the
 * callers' keys as well, and asks for the product without a join, which would be most of the planning.
 */
const PROVED = statement(
  'lookup_barcodes_spread',
  `select v.product_id as "productId", ${ofProduct('name')} as "productName", v.id as "variantId", v.name as "variantName",
      v.sku, v.barcode, v.price, v.is_composite as "isComposite", ${ofProduct('image_url')} as "imageUrl",
      ${validKeys('any($3::text[])')} as keys
    from variants v where v.account_id = $1 and v.is_live and v.barcode = any($2::text[])`,
)

const keyIn = ({ actor }: Scope): string => (actor.kind === 'apiKey' ? actor.id : '')
const pairOf = (text: string) => {
  const [key = ''] = text.split(' ', 1)
  return { text, key, barcode: text.slice(key.length + 1) }
}

/** Asked for by the id of the caller's API key, if it is one, and the barcode: nothing is found for a key that is not valid. */
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
 * The one live variant with this barcode. The hottest read of a till: tills that scan at once share a statement. Throws
 * `authRequired` where rows are spread and the API key, which nobody has proved by then, is not valid any more.
 */
export async function findByBarcode(db: Db, scope: Scope, barcode: string): Promise<Match[]> {
  const match = isSharded(db)
    ? await provedByBarcode(db, scope.accountId, `${keyIn(scope)} ${barcode}`)
    : await byBarcode(db, scope.accountId, barcode)
  if (!match) await requireProved(db, scope)
  return match ? [match] : []
}

/** The same of a caller who searches, or found nothing. */
export async function requireProved(db: Db, scope: Scope) {
  if (isSharded(db)) await requireKey(db, scope)
}

// Each step is a walk of one index that stops early, so its price does not grow with the catalogue. Ranges instead of
// LIKE 'x%': a prepared LIKE cannot become a range, and the range comes out sorted.
const CODES_AND_PREFIXES = statement(
  'lookup_prefix',
  `with hits as (
      (select 0 as step, v.* from variants v where ${LIVE} and barcode = $2)
      union all (select 1, v.* from variants v where ${LIVE} and lower(sku) collate "C" = $3 limit 20)
      union all (select 2, v.* from variants v where ${LIVE}
        and search_text collate "C" >= $3 and search_text collate "C" < $4 order by search_text collate "C" limit 20)
      union all (select 3, v.* from variants v where ${LIVE}
        and lower(sku) collate "C" >= $3 and lower(sku) collate "C" < $4 order by lower(sku) collate "C" limit 20))
    select ${MATCH} from hits v ${PRODUCT} order by v.step, v.search_text collate "C", v.id`,
)

// A materialized CTE is planned for all its rows, hence by the index, and yet read only as far as the limit asks.
const SUBSTRING = statement(
  'lookup_substring',
  `with hits as materialized (select * from variants where ${LIVE} and search_text like $2)
    select ${MATCH} from (select * from hits limit 100) v ${PRODUCT} order by v.search_text collate "C", v.id`,
)

/** By a subquery of its own: the sound of what is searched is spelt once, not for each row that is held against it. */
const soundOnce = (parameter: `$${number}`) => `(select ${soundOf(`${parameter}::text`)})`

/** Every one of one to three words sounds like a part of the text; the whole query ranks what is left (B-lookup-2). */
const similarTo = (words: number) =>
  statement(
    `lookup_similar_${words}`,
    `with hits as materialized (select * from variants
      where ${LIVE} and ${(['$3', '$4', '$5'] as const)
        .slice(0, words)
        .map((word) => `sound_text %> ${soundOnce(word)}`)
        .join(' and ')})
    select ${MATCH} from (select * from hits limit 60) v ${PRODUCT}
    order by word_similarity(${soundOnce('$2')}, v.sound_text) desc, v.search_text collate "C", v.id`,
  )
const SIMILAR = [similarTo(1), similarTo(2), similarTo(3)] as const

// One or two letters make no trigram inside a word: the first part of the catalogue is read in order instead.
const FEW_LETTERS = statement(
  'lookup_few_letters',
  `with hits as materialized (
      select * from variants where ${LIVE} order by search_text collate "C" limit 2000)
    select ${MATCH} from (select * from hits where search_text like $2 limit 100) v ${PRODUCT}
    order by v.search_text collate "C", v.id`,
)

/** Every statement of the search, for those who ask how it is planned. */
export const STATEMENTS = {
  BARCODES,
  PROVED,
  CODES_AND_PREFIXES,
  SUBSTRING,
  SIMILAR: SIMILAR[1],
  FEW_LETTERS,
}

/** `text` in lower case, `end` above every text that begins with it. */
export const findByCodeOrPrefix = (db: Db, scope: Scope, [q, text, end]: readonly [string, string, string]) =>
  named<Match>(db, CODES_AND_PREFIXES, [scope.accountId, q, text, end])

export const findBySubstring = (db: Db, scope: Scope, pattern: string) =>
  named<Match>(db, SUBSTRING, [scope.accountId, pattern])

export const findByFewLetters = (db: Db, scope: Scope, pattern: string) =>
  named<Match>(db, FEW_LETTERS, [scope.accountId, pattern])

/** `words`: one to three. */
export const findSimilar = (db: Db, scope: Scope, text: string, words: readonly string[]) =>
  named<Match>(db, SIMILAR[words.length - 1] ?? SIMILAR[0], [scope.accountId, text, ...words])
