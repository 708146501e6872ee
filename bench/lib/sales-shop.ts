import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { sha256 } from '../../src/platform/secrets/secrets.ts'

/** The workspaces of the sale bench. Ids contain a number, so that pgbench can compute them. */
export const WORKSPACES = 50
export const OUTLETS = 4
export const VARIANTS = 200

const padded = (prefix: string, n: number) => `${prefix}_${String(n).padStart(26, '0')}`
export const accountId = (w: number) => padded('acc', w)
export const outletId = (w: number, o: number) => padded('out', w * 10 + o)
export const variantId = (w: number, v: number) => padded('var', w * 1000 + v)
export const priceOf = (v: number) => 10_000 + v * 500

/** A line draws its variant from its own third of the catalogue: three lines are three levels, in lock order. */
export const THIRDS = [
  [1, 66],
  [67, 133],
  [134, VARIANTS],
] as const

/** The number of sales until each workspace has sold each of its variants. */
export const tourOf = (workspaces: number) =>
  workspaces * Math.max(...THIRDS.map(([low, high]) => high - low + 1))

const seedOf = (workspaces: number, variants: number) => [
  `insert into accounts (account_id, name) select 'acc_' || lpad(w::text, 26, '0'), 'Toko ' || w from generate_series(1, ${workspaces}) w`,
  `insert into settings (account_id, id, business_name, business_type)
    select 'acc_' || lpad(w::text, 26, '0'), 'pos_' || lpad(w::text, 26, '0'), 'Toko ' || w, 'RETAIL' from generate_series(1, ${workspaces}) w`,
  `insert into outlets (account_id, id, name, address, phone, tax_rate_bps, tax_inclusive, receipt_footer)
    select 'acc_' || lpad(w::text, 26, '0'), 'out_' || lpad((w * 10 + o)::text, 26, '0'), 'Cabang ' || o,
      'Jalan Melati ' || o || ', Bandung', '022-555-01' || o, 1100, true, 'Terima kasih'
    from generate_series(1, ${workspaces}) w, generate_series(1, ${OUTLETS}) o`,
  `insert into categories (account_id, id, name)
    select 'acc_' || lpad(w::text, 26, '0'), 'cat_' || lpad(w::text, 26, '0'), 'Minuman' from generate_series(1, ${workspaces}) w`,
  `insert into products (account_id, id, name, category_id)
    select 'acc_' || lpad(w::text, 26, '0'), 'prd_' || lpad((w * 1000 + v)::text, 26, '0'), 'Kopi Susu Gula Aren ' || v, 'cat_' || lpad(w::text, 26, '0')
    from generate_series(1, ${workspaces}) w, generate_series(1, ${variants}) v`,
  `insert into variants (account_id, id, product_id, sku, barcode, price, cost, search_text)
    select 'acc_' || lpad(w::text, 26, '0'), 'var_' || lpad((w * 1000 + v)::text, 26, '0'), 'prd_' || lpad((w * 1000 + v)::text, 26, '0'),
      'SKU-' || lpad(v::text, 6, '0'), '899' || lpad(v::text, 10, '0'), 10000 + v * 500, 6000 + v * 300, 'kopi susu gula aren ' || v
    from generate_series(1, ${workspaces}) w, generate_series(1, ${variants}) v`,
  'insert into variant_barcodes (account_id, barcode, variant_id) select account_id, barcode, id from variants',
  `insert into stock_levels (account_id, outlet_id, variant_id, id, quantity, reorder_point, created_at, updated_at)
    select 'acc_' || lpad(w::text, 26, '0'), 'out_' || lpad((w * 10 + o)::text, 26, '0'), 'var_' || lpad((w * 1000 + v)::text, 26, '0'),
      'lvl_' || lpad(((w * 10 + o) * 1000 + v)::text, 26, '0'), 1000000, 20, now(), now()
    from generate_series(1, ${workspaces}) w, generate_series(1, ${OUTLETS}) o, generate_series(1, ${variants}) v`,
]

/** The tables that are filled. */
export const SEEDED =
  'accounts, settings, outlets, categories, products, variants, variant_barcodes, stock_levels, api_keys'

/**
 * Writes the workspaces in sets and answers an API key of each. More variants than usual work with one workspace
 * only; those of several would have equal ids. Without statistics the tables are as after an import without analyze.
 */
export async function seedShops(
  url: string,
  workspaces = WORKSPACES,
  { variants = VARIANTS, statistics = true }: { variants?: number; statistics?: boolean } = {},
): Promise<string[]> {
  const keys = Array.from(
    { length: workspaces },
    (_, index) =>
      `kasir_sk_${accountId(index + 1).slice('acc_'.length)}_${randomBytes(32).toString('base64url')}`,
  )
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    for (const text of seedOf(workspaces, variants)) await client.query(text)
    await client.query(
      `insert into api_keys (account_id, id, name, prefix, hash)
        select a, 'ak_' || substr(a, 5), 'Kasir 1', 'kasir_sk_000', h from unnest($1::text[], $2::text[]) as k(a, h)`,
      [keys.map((_, index) => accountId(index + 1)), keys.map(sha256)],
    )
    // Only tables with rows are analyzed. A plan for an empty table would scan it while it grows.
    if (statistics) await client.query(`vacuum analyze ${SEEDED}`)
  } finally {
    await client.end()
  }
  return keys
}

/**
 * Counts that must grow with the answers. A run compares differences, since the yardstick writes to the same tables.
 */
export type Books = Record<
  'sales' | 'lines' | 'movements' | 'payments' | 'completed' | 'keys' | 'units',
  number
>

export async function booksOf(url: string): Promise<Books> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<Record<keyof Books, string>>(`select
      (select count(*) from sales where status = 'COMPLETED') as sales,
      (select count(*) from sale_items) as lines,
      (select count(*) from stock_movements) as movements,
      (select count(*) from payments) as payments,
      (select count(*) from events where type = 'service.sale.completed.v1') as completed,
      (select count(*) from idempotency_keys) as keys,
      (select -sum(quantity) from stock_levels) as units`)
    const entries = Object.entries(rows[0] ?? {}).map(([name, value]) => [name, Number(value)])
    return Object.fromEntries(entries) as Books
  } finally {
    await client.end()
  }
}

/** Throws if the books do not match the answers. */
export function requireBooks(
  before: Books,
  after: Books,
  { sales, units, bills }: { sales: number; units: number; bills: boolean },
) {
  const expected: Books = {
    sales,
    lines: sales * 3,
    movements: sales * 3,
    payments: sales * (bills ? 2 : 1),
    completed: sales,
    keys: sales * (bills ? 3 : 1),
    units,
  }
  for (const name of Object.keys(expected) as (keyof Books)[]) {
    const moved = after[name] - before[name]
    if (moved !== expected[name])
      throw new Error(
        `${name}: ${moved} in the books, ${expected[name]} by the answers (${sales} sales, ${units} units)`,
      )
  }
}
