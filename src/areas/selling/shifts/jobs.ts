import { job } from '../../../platform/worker.ts'
import { finishCloses } from './service.ts'

export const shiftJobs = [job({ name: 'shifts.cut-off-closes', everyMs: 10 * 60_000, run: finishCloses })]
