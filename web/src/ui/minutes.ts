import { useCallback, useSyncExternalStore } from 'react'
import { serverNow } from '../offline/clock.ts'

const TICK_MS = 1_000
const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

/** One clock for every timer on the page. */
function watch(notify: () => void) {
  listeners.add(notify)
  timer ??= setInterval(() => {
    for (const listen of listeners) listen()
  }, TICK_MS)
  return () => {
    listeners.delete(notify)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

/** The whole minutes since an instant. Renders again once a minute, not once a second. */
export function useMinutesSince(instant: string): number {
  const read = useCallback(
    () => Math.max(0, Math.floor((Date.parse(serverNow()) - Date.parse(instant)) / 60_000)),
    [instant],
  )
  return useSyncExternalStore(watch, read)
}
