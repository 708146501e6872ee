/** Stops everything that was started, within `leftMs` if possible. */
export type Undo = (leftMs: number) => Promise<void>

/** A failing step must not prevent the later ones, in particular stopping the database. */
export async function undoAll(steps: readonly Undo[], untilMs: number) {
  const faults: unknown[] = []
  for (const step of steps) {
    await step(untilMs - performance.now()).catch((error: unknown) => faults.push(error))
  }
  if (faults.length > 0) throw faults[0]
}

/** Waits for all of them, even if one fails. */
export async function together(ends: readonly Promise<void>[]) {
  const results = await Promise.allSettled(ends)
  const failed = results.find(({ status }) => status === 'rejected')
  if (failed?.status === 'rejected') throw failed.reason
}
