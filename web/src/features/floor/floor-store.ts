import { create } from 'zustand'
import { persist } from 'zustand/middleware'

type FloorStore = {
  floorId: string | null
  /** Null until it was chosen: a list on a phone, the map on larger screens. */
  view: 'list' | 'map' | null
  chooseFloor(floorId: string): void
  chooseView(view: 'list' | 'map'): void
}

/** What this device shows of the floors. */
export const useFloorStore = create<FloorStore>()(
  persist(
    (set) => ({
      floorId: null,
      view: null,
      chooseFloor: (floorId) => set({ floorId }),
      chooseView: (view) => set({ view }),
    }),
    { name: 'kasir-floor' },
  ),
)
