import { job } from '../../../platform/jobs/worker.ts'
import { finishCloses } from './service.ts'

/** Runs also without work: when it last ended tells the invariants which closes must have their figures. */
export const shiftJobs = [job({ name: 'shifts.cut-off-closes', everyMs: 60_000, run: finishCloses })]
