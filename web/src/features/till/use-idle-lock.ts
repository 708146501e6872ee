import { useEffect } from 'react'
import { useTill } from '../../app/till.ts'

const IDLE_MS = 5 * 60_000
const LOOK_MS = 5_000
const SIGNS = ['pointerdown', 'keydown', 'wheel'] as const

/** A till that was left alone asks for a PIN. */
export function useIdleLock() {
  const isTill = useTill((state) => state.till !== null)
  useEffect(() => {
    if (!isTill) return
    let lastMs = Date.now()
    const note = () => {
      lastMs = Date.now()
    }
    const timer = setInterval(() => {
      if (Date.now() - lastMs >= IDLE_MS) useTill.getState().lock()
    }, LOOK_MS)
    for (const sign of SIGNS) window.addEventListener(sign, note, { capture: true, passive: true })
    return () => {
      clearInterval(timer)
      for (const sign of SIGNS) window.removeEventListener(sign, note, { capture: true })
    }
  }, [isTill])
}
