import { create } from 'zustand'
import { persist } from 'zustand/middleware'

/** The most cancelled parts that are remembered, enough for a busy day. */
const MOST_SEEN = 500

type BoardStore = {
  /** Null shows every station. */
  station: string | null
  isQuiet: boolean
  /** Cancelled parts that the cook has seen, which this board no longer shows. */
  seen: readonly string[]
  choose(station: string | null): void
  setQuiet(isQuiet: boolean): void
  see(ids: readonly string[]): void
}

/** The state of a kitchen board, stored on its device. */
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
