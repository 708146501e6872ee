import type { MailOptions } from '../kit/mails/sender.ts'
import type { PartnerOptions } from '../kit/options.ts'

export type ReferencePaymentOptions = PartnerOptions & {
  /** The mail settings of receipts. By default they are files in a directory of the user, named in the log. */
  mail?: MailOptions
}
