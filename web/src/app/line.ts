import { useSyncExternalStore } from 'react'
import { useSession } from './session.ts'

const watchLine = (notify: () => void) => {
  window.addEventListener('online', notify)
  window.addEventListener('offline', notify)
  return () => {
    window.removeEventListener('online', notify)
    window.removeEventListener('offline', notify)
  }
}

/** Whether the service can be reached, by its last answer and the state of the device. */
export const isOnline = (): boolean => navigator.onLine && useSession.getState().isReachable

export function useIsOnline(): boolean {
  const hasLine = useSyncExternalStore(watchLine, () => navigator.onLine)
  const isReachable = useSession((session) => session.isReachable)
  return hasLine && isReachable
}
