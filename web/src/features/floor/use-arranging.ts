import { type FloorTable, tablesListOnFloor, tablesSetLayout } from 'kasir-client'
import { useEffect, useState } from 'react'
import { queries } from '../../app/queries.ts'
import { call } from '../../app/service.ts'
import { newKey } from '../../offline/key.ts'
import { isSameLayout, placeOf, startingPlaces, type TablePlace, withTables } from './layout.ts'
import { type MapDraft, mapDraftOf } from './map-draft.ts'

type Arranging = { floorId: string; outletId: string; tables: readonly FloorTable[] }

const readTables = (outletId: string, floorId: string) =>
  call(tablesListOnFloor, { outletId, floorId }).then((answer) => answer.tables)

const edited = (
  places: readonly TablePlace[],
  id: string,
  edit: (place: TablePlace) => TablePlace,
): TablePlace[] => places.map((place) => (place.id === id ? edit(place) : place))

const withoutDeleted = (base: readonly TablePlace[], tables: readonly TablePlace[]): TablePlace[] =>
  tables.map((table) => base.find(({ id }) => id === table.id) ?? table)

type Steps = { base: readonly TablePlace[]; steps: readonly (readonly TablePlace[])[] }

/** Begins with the map of the service, or continues with a draft that is not saved. */
function firstSteps(draft: MapDraft, tables: readonly TablePlace[]): Steps {
  const kept = draft.read()
  if (kept === null || isSameLayout(kept.values.places, tables))
    return { base: tables, steps: [startingPlaces(tables)] }
  const base = withoutDeleted(kept.base.places, tables)
  return { base, steps: [startingPlaces(base), withTables(kept.values.places, tables)] }
}

/** The steps of the map, and the map of the service when this device began, both with the tables that exist now. */
function useSteps(floorId: string, tables: readonly FloorTable[]) {
  const [draft] = useState(() => mapDraftOf(floorId))
  const [first] = useState(() => firstSteps(draft, tables))
  const [base, setBase] = useState(first.base)
  const [steps, setSteps] = useState(first.steps)
  const places = steps.at(-1) ?? []
  const isDirty = !isSameLayout(places, base)
  const begin = (from: readonly TablePlace[], first: readonly TablePlace[]) => {
    setBase(from)
    setSteps([first])
  }
  // Tables that were added or deleted meanwhile, here or on another device.
  const ids = tables.map(({ id }) => id).join(' ')
  const [knownIds, setKnownIds] = useState(ids)
  if (ids !== knownIds) {
    setKnownIds(ids)
    if (isDirty) {
      setBase(withoutDeleted(base, tables))
      setSteps(steps.map((step) => withTables(step, tables)))
    } else begin(tables, startingPlaces(tables))
  }
  /** The map of the service is `sent`, with the tables and the steps that came while it was sent. */
  const settle = (sent: readonly TablePlace[]) => {
    setBase((now) => now.map((place) => sent.find(({ id }) => id === place.id) ?? place))
    setSteps((now) => now.slice(Math.min(steps.length, now.length) - 1))
  }
  const canUndo = steps.length > 1
  // A new table that only got a place of its own is nothing to lose.
  const isUnsaved = isDirty && canUndo
  useEffect(() => {
    if (isUnsaved) draft.keep({ base: { places: base.map(placeOf) }, values: { places } })
    else draft.drop()
  }, [draft, isUnsaved, base, places])
  return { base, places, isDirty, isUnsaved, canUndo, setSteps, begin, settle }
}

/** The map of one floor while it is arranged: every change can be undone, and one request saves them all. */
export function useArranging({ floorId, outletId, tables }: Arranging) {
  const { base, places, isDirty, isUnsaved, canUndo, setSteps, begin, settle } = useSteps(floorId, tables)
  const [conflict, setConflict] = useState<readonly FloorTable[] | null>(null)
  const [error, setError] = useState<unknown>(null)
  const [isBusy, setBusy] = useState(false)
  const [isSaved, setSaved] = useState(false)

  const change = (id: string, edit: (place: TablePlace) => TablePlace) => {
    setSaved(false)
    setSteps((now) => [...now, edited(now.at(-1) ?? [], id, edit)])
  }
  /** Shows a drag while it lasts; only its end counts as a step. */
  const drag = (id: string, edit: (place: TablePlace) => TablePlace) =>
    setSteps((now) => [...now.slice(0, -1), edited(now.at(-1) ?? [], id, edit)])
  const beginDrag = () => {
    setSaved(false)
    setSteps((now) => [...now, now.at(-1) ?? []])
  }
  const undo = () => setSteps((now) => (now.length > 1 ? now.slice(0, -1) : now))

  const put = async () => {
    const body = { outletId, floorId, tables: places.map((place) => ({ ...place })) }
    await call(tablesSetLayout, body, { idempotencyKey: newKey() })
    settle(places)
    setConflict(null)
    setSaved(true)
    await queries.invalidateQueries({ queryKey: ['floor', outletId] })
  }
  const run = async (work: () => Promise<void>) => {
    setBusy(true)
    setError(null)
    await work().catch(setError)
    setBusy(false)
  }
  /** Saves unless another device changed the map since: then the person decides. */
  const save = () =>
    run(async () => {
      const now = await readTables(outletId, floorId)
      if (isSameLayout(now, base)) await put()
      else setConflict(now)
    })
  return {
    places,
    isDirty,
    isUnsaved,
    isBusy,
    isSaved,
    error,
    conflict,
    canUndo,
    change,
    drag,
    beginDrag,
    undo,
    save,
    keepMine: () => run(put),
    keepTheirs: () => {
      if (conflict !== null) begin(conflict, startingPlaces(conflict))
      setConflict(null)
    },
  }
}
