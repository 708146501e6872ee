import { job } from '../../../platform/worker.ts'
import { followReferrals, hasRunning } from './worker.ts'

export const referralJobs = [
  job({ name: 'marketing.referrals', everyMs: 60_000, hasWork: hasRunning, run: followReferrals }),
]
