import { type Loop, startLoop } from '../kit/loop.ts'
import { keptSince } from '../kit/sweep.ts'
import type { Tools } from '../kit/tools.ts'
import { sweepTopups } from './credits/store.ts'

const SWEEP_EVERY_MS = 3_600_000

/** What time brings about by itself. Any number of processes may do it at once. */
export const startWork = ({ db, log, now }: Tools): { woken: Loop[]; timed: Loop[] } => ({
  woken: [],
  timed: [
    startLoop({ name: 'sweep', everyMs: SWEEP_EVERY_MS, log }, () => sweepTopups(db, keptSince(now()))),
  ],
})
