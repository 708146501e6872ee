import { reportJobs } from './areas/insight/reports/index.ts'
import { cartJobs } from './areas/marketing/abandoned-carts/index.ts'
import { referralJobs } from './areas/marketing/referrals/index.ts'
import { deliveryJobs } from './areas/partners/delivery/index.ts'
import { noticeExpires } from './areas/partners/inbound/index.ts'
import { paymentJobs, sessionExpires } from './areas/partners/payments/index.ts'
import { giftCardExpires, giftCardJobs } from './areas/selling/gift-cards/index.ts'
import { promotionJobs } from './areas/selling/promotions/index.ts'
import { shiftJobs } from './areas/selling/shifts/index.ts'
import { billingJobs } from './areas/workspace/billing/index.ts'
import { uploadJobs } from './areas/workspace/uploads/index.ts'
import { platformExpires } from './platform/expires.ts'
import { rotationJob } from './platform/key-rotation.ts'
import { mailJob } from './platform/mailer.ts'
import { type Expires, sweepJob } from './platform/sweep.ts'
import type { Job } from './platform/worker.ts'

/** Every kind of row that is removed once it has expired. */
export const expires: readonly Expires[] = [
  ...platformExpires,
  ...giftCardExpires,
  ...noticeExpires,
  ...sessionExpires,
]

/** Everything that the service does by itself. */
export const jobs: readonly Job[] = [
  mailJob,
  rotationJob,
  sweepJob(expires),
  ...shiftJobs,
  ...giftCardJobs,
  ...uploadJobs,
  ...billingJobs,
  ...paymentJobs,
  ...deliveryJobs,
  ...cartJobs,
  ...promotionJobs,
  ...reportJobs,
  ...referralJobs,
]
