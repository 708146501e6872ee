import { useQuery } from '@tanstack/react-query'
import { type Floor, type FloorTable, floorsList, kitchenListReady, tablesListOnFloor } from 'kasir-client'
import { useMemo } from 'react'
import { useBoard, useSecondBoard } from '../../app/live.ts'
import { call } from '../../app/service.ts'

/** The state of a table, and how many of its dishes are ready to serve. */
export type TableState = { table: FloorTable; ready: number }

const NO_TABLES: readonly FloorTable[] = []
const NO_FLOORS: readonly Floor[] = []

/** The floors of an outlet and the state of its tables. */
export function useFloorData(outletId: string | undefined) {
  const floors = useQuery({
    queryKey: ['floors', outletId],
    queryFn: () => call(floorsList, { outletId: outletId ?? '' }).then((answer) => answer.floors),
    enabled: outletId !== undefined,
  })
  const map = useBoard({
    board: 'floor',
    outletId,
    fetch: (id) => call(tablesListOnFloor, { outletId: id }).then(({ tables }) => tables),
  })
  const serve = useSecondBoard({
    board: 'serve',
    outletId,
    fetch: (id) => call(kitchenListReady, { outletId: id }).then(({ groups }) => groups),
  })
  const states = useMemo((): TableState[] => {
    const ready = new Map(
      (serve.data ?? []).map(({ tableId, items }) => [
        tableId,
        items.filter(({ status }) => status === 'READY').length,
      ]),
    )
    return (map.data ?? NO_TABLES).map((table) => ({ table, ready: ready.get(table.id) ?? 0 }))
  }, [map.data, serve.data])
  return {
    floors: floors.data ?? NO_FLOORS,
    states,
    isRead: map.isSuccess,
    // Offline, the screen keeps the data that was read before.
    error: map.data === undefined ? (map.error ?? floors.error) : null,
  }
}

/** The map shows tables only if each has its own position. */
export const isArranged = (tables: readonly Pick<FloorTable, 'posX' | 'posY'>[]) =>
  new Set(tables.map(({ posX, posY }) => `${posX} ${posY}`)).size === tables.length
