import { type FloorTable, tablesListOnFloor, tablesSetLayout } from 'kasir-client'
import { useState } from 'react'
import { queries } from '../../app/queries.ts'
import { call } from '../../app/service.ts'
import { newKey } from '../../offline/key.ts'
import { isSameLayout, type Place, startingPlaces } from './layout.ts'

type Arranging = { floorId: string; outletId: string; tables: readonly FloorTable[] }

const readTables = (outletId: string, floorId: string) =>
  call(tablesListOnFloor, { outletId, floorId }).then((answer) => answer.tables)

const edited = (places: readonly Place[], id: string, edit: (place: Place) => Place): Place[] =>
  places.map((place) => (place.id === id ? edit(place) : place))

/** The map of one floor while it is arranged: every change can be undone, and one request saves them all. */
export function useArranging({ floorId, outletId, tables }: Arranging) {
  // The map of the service when this device began.
  const [base, setBase] = useState<readonly Place[]>(tables)
  const [steps, setSteps] = useState<readonly (readonly Place[])[]>([startingPlaces(tables)])
  const [conflict, setConflict] = useState<readonly FloorTable[] | null>(null)
  const [error, setError] = useState<unknown>(null)
  const [isBusy, setBusy] = useState(false)
  const [isSaved, setSaved] = useState(false)
  const places = steps.at(-1) ?? []

  const change = (id: string, edit: (place: Place) => Place) => {
    setSaved(false)
    setSteps((now) => [...now, edited(now.at(-1) ?? [], id, edit)])
  }
  /** Shows a drag while it lasts; only its end counts as a step. */
  const drag = (id: string, edit: (place: Place) => Place) =>
    setSteps((now) => [...now.slice(0, -1), edited(now.at(-1) ?? [], id, edit)])
  const beginDrag = () => {
    setSaved(false)
    setSteps((now) => [...now, now.at(-1) ?? []])
  }
  const undo = () => setSteps((now) => (now.length > 1 ? now.slice(0, -1) : now))

  const begin = (from: readonly FloorTable[]) => {
    setBase(from)
    setSteps([startingPlaces(from)])
    setConflict(null)
  }
  const put = async () => {
    const body = { outletId, floorId, tables: places.map((place) => ({ ...place })) }
    await call(tablesSetLayout, body, { idempotencyKey: newKey() })
    setBase(places)
    setSteps([places])
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
    isDirty: !isSameLayout(places, base),
    isBusy,
    isSaved,
    error,
    conflict,
    canUndo: steps.length > 1,
    change,
    drag,
    beginDrag,
    undo,
    save,
    keepMine: () => run(put),
    keepTheirs: () => void (conflict !== null && begin(conflict)),
  }
}
