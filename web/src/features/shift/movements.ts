import { create } from 'zustand'
import { persist } from 'zustand/middleware'
import type { DrawerMovement } from '../../core.ts'

type Movements = {
  shiftId: string | null
  movements: readonly DrawerMovement[]
  note(shiftId: string, movement: DrawerMovement): void
}

/** Cash that this device put into the drawer of the running shift or took out: the service lists their sums only. */
export const useMovements = create<Movements>()(
  persist(
    (set, get) => ({
      shiftId: null,
      movements: [],
      note: (shiftId, movement) =>
        set({
          shiftId,
          movements: get().shiftId === shiftId ? [...get().movements, movement] : [movement],
        }),
    }),
    { name: 'kasir-movements' },
  ),
)
