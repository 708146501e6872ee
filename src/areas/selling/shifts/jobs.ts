import { job } from '../../../platform/jobs/worker.ts'
import { finishCloses } from './service.ts'

export const shiftJobs = [job({ name: 'shifts.cut-off-closes', everyMs: 10 * 60_000, run: finishCloses })]
