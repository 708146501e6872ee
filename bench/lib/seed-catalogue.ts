import pg, { type Pool } from 'pg'
import { newId } from '../../src/core/ids.ts'
import { newKey } from '../../src/platform/auth/tokens.ts'
import type { AccountId } from '../../src/platform/scope.ts'
import { sha256 } from '../../src/platform/secrets/secrets.ts'
import { behindIndexes } from './bulk.ts'

export type Catalogue = { accountId: AccountId; key: string; variants: number }

const KINDS =
  'Kopi Teh Susu Gula Beras Minyak Sabun Sampo Mie Roti Biskuit Coklat Keripik Sirup Kecap Sambal Tepung Telur Garam Saus Tisu Deterjen Permen Wafer Sereal Yogurt Keju Mentega Selai Madu Sarden Kornet Bakso Sosis Nugget Tahu Tempe Kerupuk Bumbu Abon'
const SYLLABLES = 'ra si mo ta ka lu ne di pa so be wi na ku to ma ri sa le ja'
const FLAVOURS =
  'Original Pedas Manis Gurih Melati Vanila Stroberi Jeruk Balado Keju Pandan Mocca Durian Lemon Madu Jahe Karamel Anggur Mangga Kelapa'
const SIZES = '50 g|100 g|250 g|500 g|1 kg|200 ml|350 ml|600 ml|1 L|isi 10'

/**
 * A workspace of a shop with `variants` products of one variant each, written by statements over sets (`pool` is of one
 * connection of the superuser). Names are made of few kinds and flavours and many brands, so a word may match a handful of
 * rows or a twentieth of them.
 */
export async function seedCatalogue(pool: Pool, name: string, variants: number): Promise<Catalogue> {
  const { accountId, key } = await seedWorkspace(pool, name)
  await fillCatalogue(pool, accountId, variants)
  return { accountId, key, variants }
}

/** The products of such a shop for a workspace that is there already. */
export async function fillCatalogue(pool: Pool, accountId: AccountId, variants: number) {
  // The rows are valid, so foreign keys are not checked.
  await pool.query(
    `set session_replication_role = replica; set synchronous_commit = off; set maintenance_work_mem = '256MB'`,
  )
  await behindIndexes([pool], ['products', 'variants'], async () => {
    const all = { from: 1, to: variants }
    await insertProducts(pool, accountId, all)
    await insertVariants(pool, accountId, all)
  })
}

const PORTION = 2_500

/**
 * The same as the role of the service, in tables that are in use. It writes portions, because a statement may run for
 * 15 s.
 */
export async function seedCatalogueInUse(pool: Pool, name: string, variants: number): Promise<Catalogue> {
  const { accountId, key } = await seedWorkspace(pool, name)
  for (let from = 1; from <= variants; from += PORTION) {
    const span = { from, to: Math.min(variants, from + PORTION - 1) }
    await insertProducts(pool, accountId, span)
    // A foreign key keeps its plan for an empty table, which would scan the full one.
    await pool.query('analyze products')
    await insertVariants(pool, accountId, span)
  }
  await vacuum(pool, 'products', 'variants')
  return { accountId, key, variants }
}

/**
 * Vacuums over a connection of its own, without a time limit: an autovacuum may hold the table longer than a statement may
 * run, and the service gives up a connection that is silent.
 */
export async function vacuum({ options }: Pool, ...tables: string[]) {
  const client = new pg.Client({ connectionString: options.connectionString })
  await client.connect()
  try {
    await client.query('set statement_timeout = 0')
    for (const table of tables) await client.query(`vacuum analyze ${table}`)
  } finally {
    await client.end()
  }
}

async function seedWorkspace(pool: Pool, name: string): Promise<Omit<Catalogue, 'variants'>> {
  const accountId = newId('account') as unknown as AccountId
  const key = newKey(accountId)
  await pool.query('insert into accounts (account_id, name) values ($1, $2)', [accountId, name])
  await pool.query('insert into api_keys (account_id, id, name, prefix, hash) values ($1, $2, $3, $4, $5)', [
    accountId,
    newId('apiKey'),
    'bench',
    key.slice(0, 12),
    sha256(key),
  ])
  return { accountId, key }
}

type Numbers = { from: number; to: number }

async function insertProducts(pool: Pool, accountId: AccountId, { from, to }: Numbers) {
  const words = [KINDS, SYLLABLES, FLAVOURS].map((text) => text.split(' '))
  await pool.query(
    `insert into products (account_id, id, name)
      select $1, 'prd_' || lpad(i::text, 26, '0'), concat_ws(' ',
        ($4::text[])[1 + i % array_length($4::text[], 1)],
        initcap(($5::text[])[1 + (i / 7) % 20] || ($5::text[])[1 + (i / 131) % 20] || ($5::text[])[1 + (i / 17) % 20]),
        ($6::text[])[1 + (i / 3) % array_length($6::text[], 1)],
        ($7::text[])[1 + (i / 11) % array_length($7::text[], 1)])
      from generate_series($2::int, $3::int) as i`,
    [accountId, from, to, ...words, SIZES.split('|')],
  )
}

async function insertVariants(pool: Pool, accountId: AccountId, { from, to }: Numbers) {
  await pool.query(
    `insert into variants (account_id, id, product_id, sku, barcode, price, search_text)
      select $1, 'var_' || right(p.id, 26), p.id, 'SKU-' || right(p.id, 6), '899' || right(p.id, 10), 10000,
        lower(concat_ws(E'\\n', p.name, 'SKU-' || right(p.id, 6), '899' || right(p.id, 10)))
      from products p
      where p.account_id = $1 and p.id between 'prd_' || lpad($2::text, 26, '0') and 'prd_' || lpad($3::text, 26, '0')`,
    [accountId, from, to],
  )
  await pool.query(
    `insert into variant_barcodes (account_id, barcode, variant_id)
      select $1, v.barcode, v.id from variants v
      where v.account_id = $1 and v.id between 'var_' || lpad($2::text, 26, '0') and 'var_' || lpad($3::text, 26, '0')`,
    [accountId, from, to],
  )
}
