import { containing } from '../../../core/text.ts'
import { keyHolds, requireKey } from '../../../platform/auth/statements.ts'
import { anyOf } from '../../../platform/db/batch-reads.ts'
import { type Db, named } from '../../../platform/db/open.ts'
import { recordFields } from '../../../platform/db/records.ts'
import { type Statement, statement } from '../../../platform/db/statement.ts'
import type { Key, Span } from '../../../platform/http/whole.ts'
import type { Scope } from '../../../platform/scope.ts'
import type { Product } from './schema.ts'
import { CODES } from './statements-packs.ts'
import { readVariants, VARIANTS_OF_PRODUCT } from './statements-variants.ts'

export type ProductFilter = {
  categoryId?: string | undefined
  active?: boolean | undefined
  q?: string | undefined
}

/** The columns of a product under their names in the code, with its category, variants and modifier groups. */
const columns = (
  variants: string,
) => `${recordFields(['id', 'name', 'description', 'categoryId'], 'p')}, c.name as "categoryName",
  ${recordFields(['kind', 'trackStock', 'requiresBatch', 'imageUrl', 'thumbnailUrl', 'station', 'taxRateBps', 'isActive', 'createdAt', 'updatedAt'], 'p')},
  ${variants} as variants,
  coalesce((select json_agg(g.group_id order by g.sort_order, g.group_id)
    from product_modifier_groups g where g.account_id = $1 and g.product_id = p.id), '[]') as "modifierGroupIds"`

/** Reads products with their variants and modifier groups in one statement. */
const BASE = `select ${columns(VARIANTS_OF_PRODUCT)} from products p
  left join categories c on c.account_id = $1 and c.id = p.category_id
  where p.account_id = $1`

function readProducts(rows: Product[]): Product[] {
  for (const row of rows) if (!isLeftOut(row)) readVariants(row.variants)
  return rows
}

/** Only the filters that are sent become part of the text, so that PostgreSQL can use their indexes. */
function conditionsOf({ categoryId, active, q }: ProductFilter, parameter: (value: unknown) => string) {
  const conditions: [used: string, condition: string][] = []
  if (categoryId !== undefined) conditions.push(['category', `p.category_id = ${parameter(categoryId)}`])
  if (active !== undefined)
    conditions.push(active ? ['active', 'p.is_active'] : ['inactive', 'not p.is_active'])
  if (q !== undefined) {
    const pattern = parameter(containing(q))
    const lower = parameter(containing(q.toLowerCase()))
    // search_text contains every code, so its index finds candidates among live variants, and the exact test follows.
    // The few other variants are found by the indexes of their codes.
    const condition = `(p.name ilike ${pattern} or p.id in (
      select v.product_id from variants v where v.account_id = $1 and v.is_live
        and v.search_text like ${lower} and (v.sku ilike ${pattern} or v.barcode ilike ${pattern})
      union all select v.product_id from variants v where v.account_id = $1 and not v.is_live
        and (v.sku ilike ${pattern} or v.barcode ilike ${pattern})))`
    conditions.push(['q', condition])
  }
  return conditions
}

/** One statement per combination of filters. */
const statements = new Map<string, Statement>()

/** The statement `name` for these conditions; `textOf` builds its text with them. */
function filtered(
  name: string,
  conditions: readonly [used: string, condition: string][],
  textOf: (filters: string) => string,
): Statement {
  const full = [name, ...conditions.map(([used]) => used)].join('_')
  const known =
    statements.get(full) ??
    statement(full, textOf(conditions.map(([, condition]) => ` and ${condition}`).join('')))
  statements.set(full, known)
  return known
}

const isAfter = ([name, id]: Key, parameter: (value: unknown) => string) =>
  ['after', `(lower(p.name), p.id) > (lower(${parameter(name)}), ${parameter(id)})`] as [string, string]

/** The most products of a portion of the whole list. */
export const PORTION = 200
/** The most variants, packs and further barcodes of the products of one answer: a few MB. A larger product is alone. */
const MOST_IN_ANSWER = 4_000

/** The variants, packs and further barcodes of a product. */
const SIZE = `(select count(*) + coalesce(sum(${CODES}), 0) from variants v where v.account_id = $1 and v.product_id = p.id)`

/** Whether the list has left out the variants of a product, because those before it are many. */
export const isLeftOut = (product: Product) => (product.variants as Product['variants'] | null) === null

/**
 * Reads products in order of name and id, after the key `after`, so that lists and exports need to hold only a
 * portion. Leaves out the variants of products after large ones (`isLeftOut`). Throws 401 if the API key of the caller is
 * no longer valid.
 */
export async function list(
  db: Db,
  scope: Scope,
  filter: ProductFilter,
  { after, limit }: Span,
): Promise<Product[]> {
  const { kind, id } = scope.actor
  const values: unknown[] = [scope.accountId, limit, kind === 'apiKey' ? id : null]
  const parameter = (value: unknown) => `$${values.push(value)}`
  const conditions = conditionsOf(filter, parameter)
  if (after !== null) conditions.push(isAfter(after, parameter))
  const products = filtered(
    'product_list',
    conditions,
    (filters) => `select ${columns(`case when p.fits then ${VARIANTS_OF_PRODUCT} end`)} from (
        select p.*, row_number() over place = 1 or sum(p.size) over place <= ${MOST_IN_ANSWER} as fits from (
          select p.*, ${SIZE} as size from products p
          where p.account_id = $1 and ($3::text is null or ${keyHolds('$3')})${filters} order by lower(p.name), p.id limit $2) p
        window place as (order by lower(p.name), p.id rows unbounded preceding)) p
      left join categories c on c.account_id = $1 and c.id = p.category_id
      order by lower(p.name), p.id`,
  )
  const rows = await named<Product>(db, products, values)
  if (rows.length === 0) await requireKey(db, scope)
  return readProducts(rows)
}

const FIND_MANY = statement('product_find', `${BASE} and p.id = ${anyOf('$2')} order by p.id`)

export const findMany = async (db: Db, scope: Scope, ids: readonly string[]): Promise<Product[]> =>
  readProducts(await named<Product>(db, FIND_MANY, [scope.accountId, ids]))

export const find = async (db: Db, scope: Scope, id: string): Promise<Product | undefined> =>
  (await findMany(db, scope, [id]))[0]
