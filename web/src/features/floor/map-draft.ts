import { draftOf } from '../../office/form/draft.ts'
import type { TablePlace } from './layout.ts'

/** The map of a floor that the present member has not saved, kept while the till is locked or another outlet is shown. */
export const mapDraftOf = (floorId: string) =>
  draftOf<{ places: readonly TablePlace[] }>(`floorMap:${floorId}`)

export type MapDraft = ReturnType<typeof mapDraftOf>
