import type { FloorTable } from 'kasir-client'

/** The map while it is arranged. Pure. */

export type Shape = FloorTable['shape']
export type TablePlace = Pick<FloorTable, 'id' | 'posX' | 'posY' | 'shape' | 'width' | 'height'>

/** Tables stand on a grid of this many map units. */
export const GRID = 20
const LARGEST = 10_000

export const placeOf = ({ id, posX, posY, shape, width, height }: TablePlace): TablePlace => ({
  id,
  posX,
  posY,
  shape,
  width,
  height,
})

const SIZES: Readonly<Record<Shape, { width: number; height: number }>> = {
  SQUARE: { width: 80, height: 80 },
  ROUND: { width: 80, height: 80 },
  RECT: { width: 160, height: 80 },
}
export const shaped = (place: TablePlace, shape: Shape): TablePlace => ({ ...place, shape, ...SIZES[shape] })

const onGrid = (units: number) => Math.min(LARGEST - GRID, Math.max(0, Math.round(units / GRID) * GRID))

export const movedBy = (place: TablePlace, byX: number, byY: number): TablePlace => ({
  ...place,
  posX: onGrid(place.posX + byX),
  posY: onGrid(place.posY + byY),
})

const ROW = 6
const STEP = 120

/** The places to begin with. Tables that share a place, as new ones do, are put into rows below the others. */
export function startingPlaces(tables: readonly TablePlace[]): TablePlace[] {
  const taken = new Set<string>()
  const placed: TablePlace[] = []
  const loose: TablePlace[] = []
  for (const table of tables) {
    const key = `${table.posX} ${table.posY}`
    if (taken.has(key)) loose.push(placeOf(table))
    else placed.push(placeOf(table))
    taken.add(key)
  }
  const below = Math.max(0, ...placed.map(({ posY, height }) => onGrid(posY + height + GRID)))
  return [
    ...placed,
    ...loose.map((place, at) => ({
      ...place,
      posX: (at % ROW) * STEP,
      posY: below + Math.floor(at / ROW) * STEP,
    })),
  ]
}

/** The same map with these tables: each keeps its place, and a new one has the place to begin with. */
export function withTables(places: readonly TablePlace[], tables: readonly TablePlace[]): TablePlace[] {
  const kept = new Map(places.map((place) => [place.id, place]))
  const started = startingPlaces(tables.map((table) => ({ ...table, ...kept.get(table.id) })))
  return started.map((place) => kept.get(place.id) ?? place)
}

const keyOf = (places: readonly TablePlace[]) =>
  JSON.stringify(places.map(placeOf).toSorted((a, b) => a.id.localeCompare(b.id)))

/** Whether the same tables stand in the same places. */
export const isSameLayout = (a: readonly TablePlace[], b: readonly TablePlace[]) => keyOf(a) === keyOf(b)
