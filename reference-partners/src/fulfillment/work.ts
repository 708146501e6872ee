import { type Loop, startLoop } from '../kit/loop.ts'
import { retentionStart } from '../kit/sweep.ts'
import type { Tools } from '../kit/tools.ts'
import { sweepTopups } from './credits/store.ts'

const SWEEP_EVERY_MS = 3_600_000

/** The timed jobs. Any number of processes may run them concurrently. */
export const startWork = ({
  db,
  log,
  now,
  requireTrustedClock,
}: Tools): { woken: Loop[]; timed: Loop[] } => ({
  woken: [],
  timed: [
    startLoop({ name: 'sweep', everyMs: SWEEP_EVERY_MS, log }, async () => {
      const before = retentionStart(now())
      await requireTrustedClock()
      await sweepTopups(db, before)
    }),
  ],
})
