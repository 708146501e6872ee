import { job } from '../../../platform/worker.ts'
import { followCarts, hasReminding } from './worker.ts'

export const cartJobs = [
  job({ name: 'marketing.abandoned-carts', everyMs: 60_000, hasWork: hasReminding, run: followCarts }),
]
