import type { MailOptions } from '../kit/mails/sender.ts'
import type { PartnerOptions } from '../kit/options.ts'

export type ReferenceMarketingOptions = PartnerOptions & {
  /** How reminders are mailed; by default they are files in a directory of this user's, see the log. */
  mail?: MailOptions
}
