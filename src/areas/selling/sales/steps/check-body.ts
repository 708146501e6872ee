import { ApiError, conflict, invalid, malformed, notFound } from '../../../../core/errors.ts'
import type { Db, Tx } from '../../../../platform/db/open.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { findPackIds } from '../../../catalogue/products/index.ts'
import type { ItemModifier } from '../rules/plan-edit.ts'
import type { Sale } from '../sale/types.ts'
import { MAX_DELIVERY_DRAFT_KIB, type RefundIn } from '../schema.ts'
import type { Sellable } from '../store/context.ts'
import { findItemIds } from '../store/items.ts'

type SentItem = {
  variantId?: string | undefined
  packId?: string | null | undefined
  modifiers?: readonly ItemModifier[] | undefined
}

export const idsOf = (items: readonly SentItem[]) => ({
  variantIds: [...new Set(items.flatMap(({ variantId }) => variantId ?? []))],
  modifierIds: [
    ...new Set(
      items.flatMap(({ modifiers }) => (modifiers ?? []).flatMap(({ modifierId }) => modifierId ?? [])),
    ),
  ],
})

/** Every id that items name must exist (404 with the path of the field, B-ids-2). */
export function requireKnown(
  items: readonly SentItem[],
  known: { sellables: ReadonlyMap<string, Sellable>; modifierIds: ReadonlySet<string> },
) {
  items.forEach((item, index) => {
    if (item.variantId !== undefined && !known.sellables.has(item.variantId)) {
      throw notFound('product variant', `items[${index}].variantId`)
    }
    item.modifiers?.forEach(({ modifierId }, at) => {
      if (modifierId && !known.modifierIds.has(modifierId)) {
        throw notFound('modifier', `items[${index}].modifiers[${at}].modifierId`)
      }
    })
  })
}

/**
 * 404 for a pack that does not exist. Returns a function that refuses the first pack of another variant: 422. `packsOf` has
 * the packs that an item may name (B-pack-5, B-ids-4).
 */
export async function requirePacksKnown<I extends SentItem>(
  db: Db,
  scope: Scope,
  items: readonly I[],
  packsOf: (item: I) => readonly { id: string }[],
): Promise<() => void> {
  const foreign = items.flatMap((item, index) => {
    const { packId } = item
    return !packId || packsOf(item).some(({ id }) => id === packId)
      ? []
      : [{ packId, param: `items[${index}].packId` }]
  })
  const [first] = foreign
  if (!first) return () => {}
  const existing = await findPackIds(
    db,
    scope,
    foreign.map(({ packId }) => packId),
  )
  const unknown = foreign.find(({ packId }) => !existing.has(packId))
  if (unknown) throw notFound('pack', unknown.param)
  return () => {
    throw invalid(
      first.param,
      'This pack belongs to another variant; choose a pack of the variant that is sold',
    )
  }
}

/** Throws 422 for a variant that is no longer sold, unless the bill already has it (B-sale-5). */
export function requireLive(
  items: readonly SentItem[],
  sellables: ReadonlyMap<string, Sellable>,
  held: ReadonlySet<string> = new Set(),
) {
  items.forEach(({ variantId }, index) => {
    const sellable = variantId === undefined ? undefined : sellables.get(variantId)
    if (!sellable || sellable.isLive || held.has(sellable.variantId)) return
    throw invalid(
      `items[${index}].variantId`,
      `${sellable.productName} is no longer sold; take it off the bill`,
    )
  })
}

/** Throws 422 for an open item if the workspace sells none, unless the bill already has it (B-openitem-2). */
export function requireOpenItemsOn(
  items: readonly { id?: string | undefined; variantId?: string | undefined; name?: string | undefined }[],
  openItems: boolean,
  held: ReadonlySet<string> = new Set(),
) {
  if (openItems) return
  const index = items.findIndex(
    ({ id, variantId, name }) =>
      variantId === undefined &&
      (id === undefined ? !held.has(name ?? '') : name !== undefined && !held.has(name)),
  )
  if (index < 0) return
  throw invalid(
    `items[${index}].name`,
    'Open items are switched off in the settings: sell an item of the catalogue',
  )
}

/** Stored as sent and checked at dispatch; only its size has a bound here (B-sale-10). */
export function requireSmallDeliveryDraft(draft: unknown) {
  if (draft !== undefined && Buffer.byteLength(JSON.stringify(draft)) > MAX_DELIVERY_DRAFT_KIB * 1024) {
    throw malformed('deliveryDraft', `deliveryDraft must be at most ${MAX_DELIVERY_DRAFT_KIB} KiB`)
  }
}

/** Reads `If-Match: "<version>"` (RFC 9110, 13.1.1); null without the header or for `*`. */
export function readVersion(header: string | undefined): number | null {
  if (header === undefined || header.trim() === '*') return null
  const version = /^(?:W\/)?"?(\d{1,9})"?$/.exec(header.trim())?.[1]
  if (version === undefined) throw malformed('If-Match', 'If-Match must be the version of the sale in quotes')
  return Number(version)
}

/** 409 if the bill changed after this till had read it (B-edit-2). */
export function requireVersion(bill: Sale, version: number | null) {
  if (version !== null && version !== bill.version) {
    throw conflict(
      `The bill has changed since you read it: it is at version ${bill.version}, you sent ${version}`,
    )
  }
}

/** An item of another sale is 422; an id that does not exist is 404 (B-ids-4). */
export async function requireItemsExist(tx: Tx, scope: Scope, sale: Sale, body: RefundIn) {
  const own = new Set(sale.items.map((item) => item.id))
  const named = (body.lines ?? []).map((line) => line.transactionItemId)
  const foreign = named.filter((id) => !own.has(id))
  if (foreign.length === 0) return
  const elsewhere = await findItemIds(tx, scope, foreign)
  const index = named.findIndex((id) => !own.has(id) && !elsewhere.has(id))
  if (index >= 0) throw notFound('item', `lines[${index}].transactionItemId`)
}

/**
 * The order of checks: what does not exist is reported before a wrong state, and that before wrong values
 * (B-request-2). Checks several records. It throws a 404 immediately, and any other refusal after all were found.
 */
export function notFoundFirst() {
  const kept: ApiError[] = []
  return {
    look: async <T>(work: Promise<T>): Promise<T | null> => {
      try {
        return await work
      } catch (error) {
        if (!(error instanceof ApiError) || error.status === 404) throw error
        kept.push(error)
        return null
      }
    },
    refuse: () => {
      const first = kept.find((error) => error.status === 409) ?? kept[0]
      if (first) throw first
    },
  }
}
