import { job } from '../../../platform/jobs/worker.ts'
import { hasToTell, settlePromotions } from './worker.ts'

export const promotionJobs = [
  job({ name: 'promotions.ends', everyMs: 3_000, hasWork: hasToTell, run: settlePromotions }),
]
