/** `--seed` and `--runs` of npm run fuzz. */
export const SEED = Number(process.env['FUZZ_SEED'] ?? 1)
export const RUNS = Number(process.env['FUZZ_RUNS'] ?? 2_000)

/** Requests of one episode. Each episode has a workspace of its own, so its seed alone repeats it. */
export const EPISODE = 500

/** The seeds of the episodes that make up so many requests. */
export const episodesOf = (requests: number): number[] =>
  Array.from({ length: Math.max(1, Math.ceil(requests / EPISODE)) }, (_, index) => SEED + index)
