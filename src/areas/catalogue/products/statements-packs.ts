import { rowsInsert } from '../../../platform/db/insert-rows.ts'
import { type Db, named, namedWrite, type Tx } from '../../../platform/db/open.ts'
import { statement, writeStatement } from '../../../platform/db/statement.ts'
import type { Scope } from '../../../platform/scope.ts'
import { codesOf, type VariantCodes } from './codes.ts'

const PACK_IDS = statement(
  'packs_known',
  `select p.id from variants v, jsonb_to_recordset(v.packs) as p(id text)
    where v.account_id = $1 and v.packs is not null and p.id = any($2::text[])`,
)

/** Which of these packs exist, of any variant. */
export async function findPackIds(db: Db, scope: Scope, ids: readonly string[]): Promise<Set<string>> {
  const rows = await named<{ id: string }>(db, PACK_IDS, [scope.accountId, ids])
  return new Set(rows.map(({ id }) => id))
}

/** SQL for the number of packs and further barcodes of a row of variants; `sizeOf` counts the same. */
export const CODES =
  'coalesce(jsonb_array_length(other_barcodes), 0) + coalesce(jsonb_array_length(packs), 0)'

const RELEASE = writeStatement(
  'barcodes_release',
  'delete from variant_barcodes where account_id = $1 and variant_id = any($2::text[])',
)

/** Gives back the barcodes of these variants. */
export const releaseBarcodes = (tx: Tx, scope: Scope, variantIds: readonly string[]) =>
  namedWrite(tx, RELEASE, [scope.accountId, variantIds])

const insertBarcodes = rowsInsert<
  { barcode: string; variantId: string; packId: string | null },
  { barcode: string }
>({
  name: 'barcodes_take',
  into: 'variant_barcodes',
  columns: { barcode: 'text', variant_id: 'text', pack_id: 'text' },
  rare: ['pack_id'],
  rest: 'on conflict do nothing returning barcode',
})

type Owner = VariantCodes & { id: string; isLive: boolean }

/**
 * Takes the barcodes of the live ones among these variants, in order of barcode, so that two transactions cannot wait for each
 * other. Returns false if one is taken. Waits for a concurrent transaction that takes the same barcode.
 */
export async function takeBarcodes(tx: Tx, scope: Scope, variants: readonly Owner[]): Promise<boolean> {
  const codes = variants
    .filter(({ isLive }) => isLive)
    .flatMap(ownedBy)
    .toSorted((a, b) => (a.barcode < b.barcode ? -1 : 1))
  return codes.length === 0 || (await insertBarcodes(tx, scope, codes)).length === codes.length
}

function ownedBy(variant: Owner) {
  const packs = (variant.packs ?? []).filter(({ barcode }) => barcode !== null)
  const own = codesOf({ ...variant, packs: null }).map((barcode) => ({ barcode, packId: null }))
  const ofPacks = packs.map(({ barcode, id }) => ({ barcode: barcode ?? '', packId: id }))
  return [...own, ...ofPacks].map((code) => ({ ...code, variantId: variant.id }))
}
