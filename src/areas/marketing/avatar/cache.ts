import { LRUCache } from 'lru-cache'

export type Picture = { bytes: Buffer; mediaType: string }

/**
 * Caches recently read pictures of all workspaces together, each for `lifetimeMs` and at most `maxBytes` in total.
 * Evicts the entry first that was read least recently.
 */
export function pictureCache({ lifetimeMs, maxBytes }: { lifetimeMs: number; maxBytes: number }) {
  const kept = new LRUCache<string, { picture: Picture; untilMs: number }>({
    maxSize: maxBytes,
    sizeCalculation: ({ picture }) => Math.max(1, picture.bytes.length),
  })
  return {
    find: (place: string, nowMs: number): Picture | undefined => {
      const found = kept.get(place)
      return found && nowMs < found.untilMs ? found.picture : undefined
    },
    keep: (place: string, picture: Picture, nowMs: number) => {
      kept.set(place, { picture, untilMs: nowMs + lifetimeMs })
    },
  }
}
