import { job } from '../../../platform/jobs/worker.ts'
import { hasReminding, remindCustomers } from './worker.ts'

export const cartJobs = [
  job({ name: 'marketing.abandoned-carts', everyMs: 60_000, hasWork: hasReminding, run: remindCustomers }),
]
