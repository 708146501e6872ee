import { job } from '../../../platform/jobs/worker.ts'
import { hasRunning, processReferrals } from './worker.ts'

export const referralJobs = [
  job({ name: 'marketing.referrals', everyMs: 60_000, hasWork: hasRunning, run: processReferrals }),
]
