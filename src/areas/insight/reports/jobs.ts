import { job } from '../../../platform/jobs/worker.ts'
import { hasUnrolled, rollUp } from './roll.ts'

export const reportJobs = [
  job({ name: 'reports.roll-up', everyMs: 30_000, hasWork: hasUnrolled, run: rollUp }),
]
