/**
 * Merges bursts per key: the first item passes immediately; later ones within the window pass together at its end.
 */
export type Merger = { add(key: string): void; stop(): void }

type MergeWindow = { endsMs: number; again: boolean }

export function merger(windowMs: number, pass: (key: string) => void): Merger {
  // All windows have the same length, so insertion order is their end order and one timer serves all.
  const windows = new Map<string, MergeWindow>()
  let timer: NodeJS.Timeout | undefined

  const open = (key: string) => {
    windows.set(key, { endsMs: performance.now() + windowMs, again: false })
    timer ??= setTimeout(close, windowMs)
  }
  const close = () => {
    timer = undefined
    const nowMs = performance.now()
    for (const [key, window] of windows) {
      // Timers may fire a fraction early; a window counts as over within a millisecond of its end.
      if (window.endsMs > nowMs + 1) {
        timer ??= setTimeout(close, window.endsMs - nowMs)
        return
      }
      windows.delete(key)
      if (!window.again) continue
      open(key)
      pass(key)
    }
  }
  return {
    add: (key) => {
      const window = windows.get(key)
      if (window) {
        window.again = true
        return
      }
      open(key)
      pass(key)
    },
    stop: () => {
      clearTimeout(timer)
      timer = undefined
      for (const [key, window] of windows) if (window.again) pass(key)
      windows.clear()
    },
  }
}
