/** `--seed` and `--runs` of npm run fuzz. */
const SEED = Number(process.env['FUZZ_SEED'] ?? 1)
export const RUNS = Number(process.env['FUZZ_RUNS'] ?? 2_000)

/** The most requests of one episode. Each episode has a workspace of its own, so its seed alone repeats it. */
const LONGEST = 2_000

/** 2^32 / golden ratio: its multiples are spread evenly, so runs with neighbouring seeds share no episode. */
const SPREAD = 0x9e_37_79_b1

/**
 * Runs episodes until they made so many requests; the first has the seed of the run. `run` answers how many requests
 * its episode made.
 */
export async function inEpisodes(
  requests: number,
  run: (seed: number, most: number) => Promise<number>,
): Promise<void> {
  let made = 0
  for (let index = 0; made < requests; index += 1) {
    const seed = (SEED + Math.imul(index, SPREAD)) & 0x7f_ff_ff_ff
    made += await run(seed, Math.min(LONGEST, requests - made))
  }
}
