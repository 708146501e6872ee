import { catalogueGet, isKasirError } from 'kasir-client'
import { call } from '../app/service.ts'
import type { PromotionCopy } from './shop-data.ts'

const read = (outletId: string, since: string | undefined) =>
  call(catalogueGet, { outletId, ...(since === undefined ? {} : { since }) })

/** Reads the promotions of an outlet, or only the changes since `copy`. */
export async function readPromotions(outletId: string, copy: PromotionCopy | null): Promise<PromotionCopy> {
  const known = copy?.outletId === outletId ? copy : null
  const answer = await read(outletId, known?.version).catch((error: unknown) => {
    // The version is too old.
    if (known !== null && isKasirError(error) && error.status === 400) return read(outletId, undefined)
    throw error
  })
  const { version, isWhole, promotions, removed } = answer
  const replaced = new Set([...promotions, ...removed].map(({ id }) => id))
  const kept = isWhole ? [] : (known?.promotions ?? []).filter(({ id }) => !replaced.has(id))
  return { outletId, version, promotions: [...kept, ...promotions] }
}
