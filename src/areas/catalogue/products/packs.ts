import { invalid, notFound } from '../../../core/errors.ts'
import type { Db } from '../../../platform/db/open.ts'
import type { Scope } from '../../../platform/scope.ts'
import { requireConsistent, type SentCodes, type VariantCodes } from './codes.ts'
import { findPackIds } from './statements-packs.ts'

/** One variant of a body; `path` is its place in the body, such as `variants[0].`. */
export type SentVariant = { path: string; sent: SentCodes; known: VariantCodes }

/**
 * Checks what no schema can say of barcodes and packs. An unknown pack is 404. A pack of another variant, a pack that is
 * listed twice, and a `barcode` that is not the first of `barcodes` are 422.
 */
export async function requireCodes(db: Db, scope: Scope, variants: readonly SentVariant[]) {
  const foreign = variants.flatMap(({ path, sent, known }) =>
    (sent.packs ?? []).flatMap(({ id }, index) =>
      id === undefined || known.packs?.some((pack) => pack.id === id)
        ? []
        : [{ id, param: `${path}packs[${index}].id` }],
    ),
  )
  const [first] = foreign
  if (first) {
    const existing = await findPackIds(
      db,
      scope,
      foreign.map(({ id }) => id),
    )
    const unknown = foreign.find(({ id }) => !existing.has(id))
    if (unknown) throw notFound('pack', unknown.param)
    throw invalid(
      first.param,
      'This pack belongs to another variant; send the pack without an id to create it',
    )
  }
  for (const { path, sent } of variants) requireConsistent(path, sent)
}
