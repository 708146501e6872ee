const loaders = new Set<() => Promise<unknown>>()

/** Loads everything that is loaded when it is first used, so that it also opens offline. */
export function loadAllParts() {
  for (const load of loaders) void load().catch(() => {})
}

/** Code that no screen shows, loaded when it is first used. */
export function lazyModule<M>(load: () => Promise<M>): () => Promise<M> {
  loaders.add(load)
  return load
}
