export type Picture = { bytes: Buffer; mediaType: string }

/**
 * Caches recently read pictures of all workspaces together, each for `lifetimeMs` and at most `maxBytes` in total.
 * Evicts the oldest entry first.
 */
export function pictureCache({ lifetimeMs, maxBytes }: { lifetimeMs: number; maxBytes: number }) {
  const kept = new Map<string, { picture: Picture; untilMs: number }>()
  let total = 0
  const drop = (place: string) => {
    total -= kept.get(place)?.picture.bytes.length ?? 0
    kept.delete(place)
  }
  return {
    find: (place: string, nowMs: number): Picture | undefined => {
      const found = kept.get(place)
      if (found && nowMs < found.untilMs) return found.picture
      if (found) drop(place)
      return undefined
    },
    keep: (place: string, picture: Picture, nowMs: number) => {
      drop(place)
      kept.set(place, { picture, untilMs: nowMs + lifetimeMs })
      total += picture.bytes.length
      for (const [first] of kept) {
        if (total <= maxBytes) return
        drop(first)
      }
    },
  }
}
