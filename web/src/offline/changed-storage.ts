import type { StateStorage } from 'zustand/middleware'

/**
 * Storage on the device that writes only what this tab has changed since it last read or wrote it, so that a tab puts
 * back nothing older. `nameOf` is the name of the entry.
 */
export function createChangedStorage(nameOf: (name: string) => string = (name) => name): StateStorage {
  let known: string | null = null
  return {
    getItem: (name) => {
      known = localStorage.getItem(nameOf(name))
      return known
    },
    setItem: (name, text) => {
      if (text === known) return
      known = text
      localStorage.setItem(nameOf(name), text)
    },
    removeItem: (name) => localStorage.removeItem(nameOf(name)),
  }
}
