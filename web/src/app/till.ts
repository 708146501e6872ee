import { authLogout, isKasirError, type PinHolder, type Till, tillsGetCurrent } from 'kasir-client'
import { create } from 'zustand'
import { createJSONStorage, persist } from 'zustand/middleware'
import { createChangedStorage } from '../offline/changed-storage.ts'
import { serverNow } from '../offline/clock.ts'
import { call } from './service.ts'
import { useSession } from './session.ts'

type TillState = {
  /** Set once this browser was enrolled; members then sign in with a PIN. */
  till: Till | null
  members: readonly PinHolder[]
  /** Only a PIN opens the register again; the cart stays. */
  isLocked: boolean
  setTill(till: Till | null, members?: readonly PinHolder[]): void
  lock(): void
  unlock(): void
}

const NAME = 'kasir-till'
const storage = createChangedStorage()

export const useTill = create<TillState>()(
  persist(
    (set, get) => ({
      till: null,
      members: [],
      isLocked: false,
      setTill: (till, members = []) => set({ till, members, isLocked: till !== null && get().isLocked }),
      lock: () => {
        if (get().till === null) return
        set({ isLocked: true })
        useSession.setState({ closedAt: serverNow() })
      },
      unlock: () => set({ isLocked: false }),
    }),
    { name: NAME, storage: createJSONStorage(() => storage) },
  ),
)

/**
 * Calls `listen` when the till is locked or the signed-in member changes. The returned function says how often that has
 * happened, so that what one member began is not continued in the name of the next.
 */
export function onHandover(listen: () => void): () => number {
  let count = 0
  const handOver = () => {
    count += 1
    listen()
  }
  useTill.subscribe(({ isLocked }) => isLocked && handOver())
  useSession.subscribe(({ member }, before) => member?.id !== before.member?.id && handOver())
  return () => count
}

/** Removes the enrolment of this browser. */
async function endTill() {
  // The lock ends with the till. A session that began with a password would then be open to anyone.
  if (useTill.getState().isLocked) await call(authLogout).catch(() => {})
  const { isLocked, setTill } = useTill.getState()
  const { isProvisional, end } = useSession.getState()
  // Without the till no PIN can prove this member to the service.
  if (isLocked || isProvisional) end()
  setTill(null)
}

/** Follows the enrolment that another tab changed. Each tab keeps its own lock. */
export function followTill() {
  useTill.persist.setOptions({
    merge: (stored, now) => ({ ...now, ...(stored as Partial<TillState>), isLocked: now.isLocked }),
  })
  const read = async () => {
    await useTill.persist.rehydrate()
    const { till, isLocked } = useTill.getState()
    if (till === null && isLocked) await endTill()
  }
  window.addEventListener('storage', ({ key }) => {
    if (key === NAME) void read()
  })
  // A tab that slept may have missed the event.
  document.addEventListener('visibilitychange', () => void read())
}

/** Reads the members who may sign in here. A browser that is no longer a till removes its enrolment. */
export async function refreshTill(): Promise<void> {
  try {
    const { till, members } = await call(tillsGetCurrent)
    useTill.getState().setTill(till, members)
  } catch (error) {
    if (isKasirError(error) && error.status === 403) await endTill()
    throw error
  }
}
