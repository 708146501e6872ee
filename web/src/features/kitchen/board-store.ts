import { create } from 'zustand'
import { persist } from 'zustand/middleware'

/** As many cancelled parts are remembered as a busy day has. */
const MOST_SEEN = 500

type BoardStore = {
  /** Null shows every station. */
  station: string | null
  isQuiet: boolean
  /** Cancelled parts that the cook has seen: they are off this board. */
  seen: readonly string[]
  choose(station: string | null): void
  setQuiet(isQuiet: boolean): void
  see(ids: readonly string[]): void
}

/** What a board in the kitchen remembers on its device. */
export const useKitchenBoard = create<BoardStore>()(
  persist(
    (set) => ({
      station: null,
      isQuiet: false,
      seen: [],
      choose: (station) => set({ station }),
      setQuiet: (isQuiet) => set({ isQuiet }),
      see: (ids) => set(({ seen }) => ({ seen: [...seen, ...ids].slice(-MOST_SEEN) })),
    }),
    { name: 'kasir-kitchen' },
  ),
)
