import { useEffect, useRef } from 'react'

/** A bump bar or a keyboard: 1 to 9 choose a ticket, Enter presses its button, Backspace undoes the last step. */
export function useBoardKeys(undo: () => void) {
  const latest = useRef(undo)
  latest.current = undo
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.altKey || event.metaKey || event.target instanceof HTMLInputElement) return
      if (/^[1-9]$/.test(event.key)) {
        const buttons = document.querySelectorAll<HTMLElement>('[data-bump]')
        const button = buttons[Number(event.key) - 1]
        button?.focus()
        button?.closest('article')?.scrollIntoView({ block: 'nearest' })
      } else if (event.key === 'Backspace') latest.current()
      else return
      event.preventDefault()
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [])
}

/** Keeps the screen on while the board shows, if the browser supports it. */
export function useWakeLock() {
  useEffect(() => {
    if (!('wakeLock' in navigator)) return
    let lock: WakeLockSentinel | undefined
    let isShown = true
    const take = () => {
      if (document.visibilityState !== 'visible') return
      navigator.wakeLock.request('screen').then(
        (taken) => {
          lock = taken
          if (!isShown) void taken.release()
        },
        () => {},
      )
    }
    take()
    document.addEventListener('visibilitychange', take)
    return () => {
      isShown = false
      document.removeEventListener('visibilitychange', take)
      void lock?.release()
    }
  }, [])
}
