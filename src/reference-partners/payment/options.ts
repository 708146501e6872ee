import type { PartnerOptions } from '../kit/options.ts'
import type { MailOptions } from './mails/sender.ts'

export type ReferencePaymentOptions = PartnerOptions & {
  /** How receipts are mailed; by default they are files in a directory of this user's, see the log. */
  mail?: MailOptions
}
