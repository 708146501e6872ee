import { job } from '../../../platform/worker.ts'
import { hasToTell, tellEnds } from './worker.ts'

export const promotionJobs = [
  job({ name: 'promotions.ends', everyMs: 3_000, hasWork: hasToTell, run: tellEnds }),
]
