import { ApiError, conflict, notFound } from '../../../core/errors.ts'
import type { Forward } from '../forward.ts'
import { ownerOf } from '../orders.ts'
import type { Biteship } from './api.ts'
import { type Draft, draftIdIn, type ShipmentView, shipmentOf, shipmentOfDraft } from './messages.ts'

const ENDED: readonly string[] = ['cancelled', 'rejected', 'courier_not_found']

/** Drafts and orders of Biteship as shipments of the protocol; `key` is the requesting workspace. */
export function shipmentsAt(api: Biteship, now: () => string) {
  const owned = <T extends { reference_id?: string | null }>(found: T, key: string): T => {
    if (ownerOf(found.reference_id ?? '') === key) return found
    throw notFound('shipment')
  }
  const readOrder = async (id: string, key: string, forward: Forward) =>
    shipmentOf(owned(await api.order(id, forward), key), now())

  /** The order if there is one, else the draft. */
  const viewOfDraft = async (draft: Draft, key: string, forward: Forward): Promise<ShipmentView> =>
    draft.order_id ? readOrder(draft.order_id, key, forward) : shipmentOfDraft(draft, now())

  async function read(id: string, key: string, forward: Forward): Promise<ShipmentView> {
    const draftId = draftIdIn(id)
    if (draftId === null) return readOrder(id, key, forward)
    return viewOfDraft(owned(await api.draft(draftId, forward), key), key, forward)
  }

  async function confirm(id: string, key: string, forward: Forward): Promise<ShipmentView> {
    const before = await read(id, key, forward)
    const draftId = draftIdIn(before.id)
    if (ENDED.includes(before.status)) throw conflict(`This shipment is ${before.status}`)
    if (draftId === null) return before
    // The response to a confirmation has no history, and reports are ordered by history.
    return readOrder(await api.confirm(draftId, forward), key, forward)
  }

  async function cancel(id: string, key: string, forward: Forward): Promise<ShipmentView> {
    const before = await read(id, key, forward).catch(nullIfUnknown)
    // Biteship may no longer find a deleted draft.
    if (!before) return expiredDraft(id, now())
    if (before.status === 'cancelled') return before
    const draftId = draftIdIn(before.id)
    if (draftId === null) {
      await api.cancel(before.id, forward)
      return readOrder(before.id, key, forward)
    }
    const draft: Draft = owned(await api.draft(draftId, forward), key)
    await api.discard(draftId, forward)
    return shipmentOfDraft({ ...draft, deleted_at: now() }, now())
  }

  return { read, viewOfDraft, confirm, cancel }
}

function expiredDraft(id: string, now: string): ShipmentView {
  const draftId = draftIdIn(id)
  if (draftId === null) throw notFound('shipment')
  return shipmentOfDraft({ id: draftId, status: 'deleted', courier: {}, deleted_at: now }, now)
}

/** Null if it does not exist. */
export const nullIfUnknown = (error: unknown) => {
  if (error instanceof ApiError && error.status === 404) return null
  throw error
}
