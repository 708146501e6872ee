import type { Logger } from 'pino'
import type { MailOptions } from './mails/sender.ts'

export type ReferencePaymentOptions = {
  databaseUrl: string
  /** The address to listen on; this machine alone by default. */
  host?: string
  /** 0 takes a free one. */
  port: number
  /** Opens and closes everything: at least 16 characters. Keys of workspaces are made from it. */
  platformKey: string
  /** `whsec_` and base64: signs notices. */
  webhookSecret: string
  /** Where notices go; without one they wait. A service that is about to listen knows it a moment later. */
  noticeUrl: string | null | (() => string | null)
  /** Where payers reach the partner; its own address by default. */
  publicUrl?: string | null
  poolSize?: number
  /** How receipts are mailed; by default they are files in a directory of this user's, see the log. */
  mail?: MailOptions
  log: Logger
  now?: () => string
  /** Seconds before each attempt at a notice. */
  noticeSchedule?: readonly number[]
}
