import { newId } from '../../src/core/ids.ts'
import type { Scope } from '../../src/platform/scope.ts'
import { type Api, deps } from './api.ts'

/** A scope as a request of this workspace would have it, for calling doors directly. */
export const scopeOf = (api: Api, now = deps().clock.now()): Scope => ({
  accountId: api.workspace.accountId,
  actor: { kind: 'apiKey', id: api.workspace.keyId, name: 'till', role: 'OWNER', readOnly: false },
  tier: 'business',
  requestId: newId('request'),
  now,
  boards: new Set(),
})

export type Goods = {
  name?: string
  variantName?: string
  kind?: 'GOODS' | 'SERVICE'
  trackStock?: boolean
  requiresBatch?: boolean
  isComposite?: boolean
  isActive?: boolean
  cost?: number
  price?: number
}

/** A product with one variant, written directly: stock tests need its row, not its routes. */
export async function makeVariant(api: Api, goods: Goods = {}): Promise<string> {
  const { accountId } = api.workspace
  const { kind = 'GOODS', requiresBatch = false, isActive = true } = goods
  const [productId, id] = [newId('product'), newId('variant')]
  const name = goods.name ?? `Product ${id.slice(-6)}`
  await deps()
    .db.insertInto('products')
    .values({
      accountId,
      id: productId,
      name,
      kind,
      requiresBatch,
      isActive,
      trackStock: goods.trackStock ?? kind === 'GOODS',
    })
    .execute()
  await deps()
    .db.insertInto('variants')
    .values({
      accountId,
      id,
      productId,
      name: goods.variantName ?? 'Default',
      price: goods.price ?? 10_000,
      cost: goods.cost ?? 0,
      isComposite: goods.isComposite ?? false,
      isActive,
      isLive: isActive,
      searchText: name.toLowerCase(),
    })
    .execute()
  return id
}

/** Writes the recipe of a composite: component variant id → quantity, in order. */
export async function makeRecipe(api: Api, variantId: string, parts: readonly [string, number][]) {
  const { accountId } = api.workspace
  await deps()
    .db.insertInto('recipeComponents')
    .values(
      parts.map(([componentVariantId, quantity], sortOrder) => ({
        accountId,
        id: newId('recipeComponent'),
        variantId,
        componentVariantId,
        quantity,
        sortOrder,
      })),
    )
    .execute()
}

export async function makeOutlet(api: Api, fields: Record<string, unknown> = {}): Promise<string> {
  const answer = await api.post('/outlets', { name: 'Outlet', ...fields })
  return answer.data.outlet.id
}

/** Stands in for settings until a test has reason to go through their route. */
export async function setNegativeStock(api: Api, policy: 'ALLOW' | 'BLOCK') {
  const { accountId } = api.workspace
  await deps()
    .db.insertInto('settings')
    .values({ accountId, id: newId('settings'), businessName: 'Shop', negativeStock: policy })
    .onConflict((oc) => oc.column('accountId').doUpdateSet({ negativeStock: policy }))
    .execute()
}

/** Bodies of the events of one type, oldest first. */
export async function eventsOf(api: Api, type: string): Promise<Record<string, unknown>[]> {
  const rows = await deps()
    .db.selectFrom('events')
    .select('body')
    .where('accountId', '=', api.workspace.accountId)
    .where('type', '=', type)
    .orderBy('id')
    .execute()
  return rows.map((row) => JSON.parse(row.body).data)
}
