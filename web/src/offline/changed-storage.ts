import type { PersistStorage, StateStorage, StorageValue } from 'zustand/middleware'

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

function readStored<State>(name: string): StorageValue<State> | null {
  try {
    return JSON.parse(localStorage.getItem(name) ?? 'null')
  } catch {
    return null
  }
}

/** Like `createChangedStorage`, for fields that are independent: it keeps the fields that only another tab has changed. */
export function createFieldStorage<State extends object>(): PersistStorage<State> {
  let known: Partial<State> = {}
  return {
    getItem: (name) => {
      const stored = readStored<State>(name)
      known = stored?.state ?? {}
      return stored
    },
    setItem: (name, { state, version }) => {
      const changed = Object.entries(state).filter(([field, value]) => value !== known[field as keyof State])
      known = state
      const present = { ...readStored<State>(name)?.state, ...Object.fromEntries(changed) }
      localStorage.setItem(name, JSON.stringify({ state: present, version }))
    },
    removeItem: (name) => localStorage.removeItem(name),
  }
}
