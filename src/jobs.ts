import { printerExpires } from './areas/dining/printers/index.ts'
import { reportJobs } from './areas/insight/reports/index.ts'
import { cartJobs } from './areas/marketing/abandoned-carts/index.ts'
import { referralJobs } from './areas/marketing/referrals/index.ts'
import { deliveryJobs } from './areas/partners/delivery/index.ts'
import { noticeExpires } from './areas/partners/inbound/index.ts'
import { paymentJobs, sessionExpires } from './areas/partners/payments/index.ts'
import { giftCardExpires, giftCardJobs } from './areas/selling/gift-cards/index.ts'
import { promotionJobs } from './areas/selling/promotions/index.ts'
import { receiptLinkExpires } from './areas/selling/receipt-links/index.ts'
import { shiftJobs } from './areas/selling/shifts/index.ts'
import { billingJobs, checkoutExpires } from './areas/workspace/billing/index.ts'
import { uploadJobs } from './areas/workspace/uploads/index.ts'
import { platformExpires } from './platform/expires.ts'
import { type Expires, sweepJob } from './platform/jobs/sweep.ts'
import type { Job } from './platform/jobs/worker.ts'
import { mailFilesJob, mailJob } from './platform/mail/mailer.ts'
import { rotationJob } from './platform/secrets/rotation.ts'

export { startPrinting } from './areas/dining/printers/index.ts'

/** Every kind of row that is removed after it expires. */
export const expires: readonly Expires[] = [
  ...platformExpires,
  ...giftCardExpires,
  ...receiptLinkExpires,
  ...printerExpires,
  ...noticeExpires,
  ...sessionExpires,
  ...checkoutExpires,
]

/** Every background job of the service. */
export const jobs: readonly Job[] = [
  mailJob,
  mailFilesJob,
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
