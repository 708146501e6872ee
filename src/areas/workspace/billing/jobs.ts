import { job } from '../../../platform/jobs/worker.ts'
import { checkCheckouts, hasUnreported } from './checks.ts'
import { announceLapses, hasLapses } from './service.ts'

export const billingJobs = [
  job({ name: 'billing.lapses', everyMs: 5 * 60_000, hasWork: hasLapses, run: announceLapses }),
  job({ name: 'billing.checkouts', everyMs: 60_000, hasWork: hasUnreported, run: checkCheckouts }),
]
