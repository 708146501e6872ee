import { rowsInsert } from '../../../platform/db/insert-rows.ts'
import { type Db, named, namedWrite, type Tx } from '../../../platform/db/open.ts'
import { statement, writeStatement } from '../../../platform/db/statement.ts'
import type { Scope } from '../../../platform/scope.ts'
import type { CsvKey } from './rules.ts'
import type { CountLine } from './schema.ts'

/** A line with its expected quantity, also of a blind count. */
type LineRow = Omit<CountLine, 'expected' | 'variance'> & { expected: number }

const LINES = statement(
  'stock_count_lines',
  `select l.variant_id as "variantId", p.name as "productName", v.name as "variantName", v.sku, v.sold_by as "soldBy", l.quantity, l.expected,
    l.counted_by as "countedBy", l.counted_at as "countedAt"
  from stock_count_lines l join variants v on v.account_id = $1 and v.id = l.variant_id
    join products p on p.account_id = $1 and p.id = v.product_id
  where l.account_id = $1 and l.count_id = $2 and ($3::text[] is null or l.variant_id = any($3))
  order by lower(p.name), lower(v.name), l.variant_id`,
)

/** Lists the lines of a count by name; only those of `variantIds` if they are given. */
export const listLines = (db: Db, scope: Scope, countId: string, variantIds: readonly string[] | null) =>
  named<LineRow>(db, LINES, [scope.accountId, countId, variantIds])

const goods = (key: string, from: string, where: string) =>
  `select v.id as "variantId", ${key} as key, p.category_id as "categoryId", p.name as "productName" from ${from}
    join products p on p.account_id = $1 and p.id = v.product_id where ${where} = any($2::text[])`
const OF_VARIANTS = 'variants v'
/** The barcode of a pack counts packs and not units, so it names no line. */
const OF_BARCODES = 'variant_barcodes b join variants v on v.account_id = $1 and v.id = b.variant_id'
const BY: Record<CsvKey, ReturnType<typeof statement>> = {
  variantId: statement('stock_count_goods', goods('v.id', OF_VARIANTS, 'v.account_id = $1 and v.id')),
  // A deactivated variant keeps its SKU, which another one may have now (B-product-3).
  sku: statement(
    'stock_count_goods_by_sku',
    goods('v.sku', OF_VARIANTS, 'v.account_id = $1 and v.is_live and v.sku'),
  ),
  barcode: statement(
    'stock_count_goods_by_barcode',
    goods('b.barcode', OF_BARCODES, 'b.account_id = $1 and b.pack_id is null and b.barcode'),
  ),
}

type Goods = { variantId: string; key: string; categoryId: string | null; productName: string }

/** Finds variants by id, SKU or barcode. `key` is the value by which each one was found. */
export const findGoods = (db: Db, scope: Scope, by: CsvKey, keys: readonly string[]) =>
  named<Goods>(db, BY[by], [scope.accountId, keys])

const LEVELS = statement(
  'stock_count_levels',
  `select l.variant_id as "variantId", l.quantity from stock_levels l
    where l.account_id = $1 and l.outlet_id = $2 and l.variant_id = any($3::text[])`,
)

/** Reads the present levels without a lock: a sale that commits later counts as made after the count. */
export async function findLevels(db: Db, scope: Scope, outletId: string, variantIds: readonly string[]) {
  const rows = await named<{ variantId: string; quantity: number }>(db, LEVELS, [
    scope.accountId,
    outletId,
    variantIds,
  ])
  return new Map(rows.map(({ variantId, quantity }) => [variantId, quantity]))
}

type NewLine = { variantId: string; quantity: number; expected: number }

const upsertLines = rowsInsert<NewLine>({
  name: 'stock_count_put_lines',
  into: 'stock_count_lines',
  shared: {
    count_id: 'text',
    counted_by: 'text',
    counted_at: 'timestamptz',
    created_at: 'timestamptz',
    updated_at: 'timestamptz',
  },
  columns: { variant_id: 'text', quantity: 'int', expected: 'int' },
  rest: `on conflict (account_id, count_id, variant_id) do update set quantity = excluded.quantity,
    expected = excluded.expected, outdated = false, counted_by = excluded.counted_by, counted_at = excluded.counted_at,
    updated_at = excluded.updated_at`,
})

/** Writes lines, each variant once and sorted by variant, so that two devices wait for each other in one order. */
export const putLines = (tx: Tx, scope: Scope, countId: string, lines: readonly NewLine[]) =>
  upsertLines(tx, scope, lines, {
    countId,
    countedBy: scope.actor.id,
    countedAt: scope.now,
    createdAt: scope.now,
    updatedAt: scope.now,
  })

const MARK_POSTED = writeStatement(
  'stock_count_mark_posted',
  `update stock_count_lines l set posted = case when l.variant_id = any($3::text[]) then l.quantity - l.expected else 0 end,
    updated_at = $4 where l.account_id = $1 and l.count_id = $2`,
)

/** Notes on each line what the post moved: its difference for the goods in `moved`, else 0. */
export const markPosted = (tx: Tx, scope: Scope, countId: string, moved: readonly string[]) =>
  namedWrite(tx, MARK_POSTED, [scope.accountId, countId, moved, scope.now])

const MARK_OUTDATED = writeStatement(
  'stock_count_mark_outdated',
  `update stock_count_lines l set outdated = true, updated_at = $4
    where l.account_id = $1 and l.count_id = any($2::text[]) and l.variant_id = any($3::text[])`,
)

/** Marks the lines of these counts for goods whose levels a post has moved. */
export const markOutdated = (
  tx: Tx,
  scope: Scope,
  countIds: readonly string[],
  variantIds: readonly string[],
) => namedWrite(tx, MARK_OUTDATED, [scope.accountId, countIds, variantIds, scope.now])

const OUTDATED = statement(
  'stock_count_outdated',
  `select p.name as "productName" from stock_count_lines l
      join variants v on v.account_id = $1 and v.id = l.variant_id
      join products p on p.account_id = $1 and p.id = v.product_id
    where l.account_id = $1 and l.count_id = $2 and l.outdated and l.quantity <> l.expected
    group by p.name order by lower(p.name)`,
)

/** Lists the products with a variance whose level another count has moved since they were counted here. */
export const listOutdated = async (db: Db, scope: Scope, countId: string) =>
  (await named<{ productName: string }>(db, OUTDATED, [scope.accountId, countId])).map(
    ({ productName }) => productName,
  )
