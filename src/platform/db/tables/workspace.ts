// Rows of migrations/0001_workspace.sql, 0009_sent_mails.sql, 0010_key_makers.sql, 0023_jobs.sql, 0028_mailed_links.sql,
// 0036_key_rotation.sql, 0045_uploads.sql, 0046_logo.sql, 0047_modules.sql and 0048_billing.sql, as Kysely sees them.
import type { Generated } from 'kysely'
import type { Module } from '../../../core/modules.ts'
import type { Currency, PaidTier } from '../../../core/plans.ts'

export type AccountsRow = {
  accountId: string
  name: string
  createdAt: Generated<string>
  updatedAt: Generated<string>
}

export type SettingsRow = {
  accountId: string
  id: string
  businessName: string
  businessType: Generated<'RETAIL' | 'FNB' | 'PHARMACY' | 'GENERAL'>
  currency: Generated<string>
  transferBankName: string | null
  transferBankAccountNumber: string | null
  transferBankAccountHolder: string | null
  loyaltyRupiahPerPoint: Generated<number>
  negativeStock: Generated<'ALLOW' | 'BLOCK'>
  npwp: string | null
  receiptThanks: string | null
  secondFactorRequired: Generated<boolean>
  publicSlug: string | null
  logoUrl: string | null
  createdAt: Generated<string>
  updatedAt: Generated<string>
}

export type ModulesRow = {
  accountId: string
  module: Module
  enabled: boolean
  partner: string | null
  partnerWorkspaceId: string | null
  /** Sealed. */
  partnerKey: string | null
  provisionedAt: string | null
  createdAt: string
  updatedAt: string
}

export type BillingSubscriptionsRow = {
  accountId: string
  id: string
  tier: PaidTier
  currency: Currency
  status: 'active' | 'canceled'
  currentPeriodEnd: string
  lapsesAt: string | null
  createdAt: string
  updatedAt: string
}

export type BillingPaymentsRow = {
  accountId: string
  sessionId: string
  tier: PaidTier
  currency: Currency
  amount: number
  periodEnd: string
  createdAt: string
}

export type UploadsRow = {
  accountId: string
  id: string
  key: string
  contentType: 'image/jpeg' | 'image/png' | 'image/webp' | 'image/gif' | 'image/avif'
  createdBy: string
  size: number | null
  sha256: string | null
  width: number | null
  height: number | null
  storedAt: string | null
  unusedSince: string | null
  createdAt: string
}

/** Every slug that was ever a workspace's (migration 0057). */
export type AccountSlugsRow = {
  slug: string
  accountId: string
  createdAt: string
}

export type MembersRow = {
  accountId: string
  id: string
  email: string
  name: string
  role: 'OWNER' | 'MANAGER' | 'CASHIER'
  passwordHash: string | null
  inviteHash: string | null
  inviteExpiresAt: string | null
  /** When somebody last proved to read the mailbox of `email`. */
  emailVerifiedAt: string | null
  createdAt: Generated<string>
  updatedAt: Generated<string>
}

export type MemberEmailsRow = {
  email: string
  accountId: string
  memberId: string
}

export type MailsRow = {
  accountId: string
  id: string
  /** A Mail as sealed JSON. */
  body: string
  attempts: Generated<number>
  dueAt: string
  createdAt: string
}

export type SentMailsRow = {
  accountId: string
  id: string
  kind: 'INVITATION' | 'NOTICE' | 'PASSWORD' | 'EMAIL'
  /** The SHA-256 of the address without its case and without what follows a +. */
  mailbox: string
  sentAt: string
}

export type SessionsRow = {
  accountId: string
  id: string
  memberId: string
  tokenHash: string
  createdAt: string
  lastSeenAt: string
  expiresAt: string
  /** As the browser called itself when it was last seen; null for a session from before that was kept. */
  userAgent: Generated<string | null>
  address: Generated<string | null>
  secondFactor: Generated<boolean>
}

/** At most one for each member; it counts once it is confirmed. */
export type SecondFactorsRow = {
  accountId: string
  memberId: string
  /** Base32, sealed. */
  secret: string
  confirmedAt: string | null
  /** The latest 30 seconds since 1970 whose code was used. */
  lastStep: number | null
  createdAt: string
  updatedAt: string
}

export type RecoveryCodesRow = {
  accountId: string
  memberId: string
  codeHash: string
  createdAt: string
}

/** At most one of a kind for each member. */
export type MailedLinksRow = {
  accountId: string
  memberId: string
  kind: 'PASSWORD' | 'EMAIL'
  tokenHash: string
  /** The SHA-256 of the address, and for a password of the old one's hash: the link ends with either. */
  boundTo: string
  createdAt: string
  expiresAt: string
}

export type ApiKeysRow = {
  accountId: string
  id: string
  name: string
  prefix: string
  /** Null for keys from before they were kept. */
  last4: string | null
  createdBy: string | null
  createdByName: string | null
  hash: string
  readOnly: Generated<boolean>
  lastUsedAt: string | null
  createdAt: Generated<string>
  updatedAt: Generated<string>
  revokedAt: string | null
}

export type LoginFailuresRow = {
  subject: string
  id: string
  failedAt: string
}

export type IdempotencyKeysRow = {
  accountId: string
  key: string
  fingerprint: string
  status: number
  body: string
  createdAt: string
}

export type EventsRow = {
  accountId: string
  id: string
  type: string
  refId: string
  body: string
  /** JSON: who caused it, and from where. */
  cause: string | null
  /** The transaction that wrote it; the database fills it in. */
  tx: Generated<string>
  createdAt: string
}

/** The installation's, not a workspace's: which key the secrets at rest are sealed with. */
export type SecretsKeysRow = {
  /** `current`; while another replaces it `next` and `previous`; `signed <key id> <purpose>` of a key that is gone. */
  name: string
  keyId: string
  checkValue: string
  /** The key, sealed with the other one; null for the current one, which the database must not know. */
  sealed: Generated<string | null>
  expiresAt: Generated<string | null>
  createdAt: Generated<string>
  updatedAt: Generated<string>
}

/** The installation's: what runs in the background (migration 0023). */
export type JobsRow = {
  name: string
  beat: Generated<number>
  running: Generated<boolean>
  dueAt: string
  startedAt: string | null
  finishedAt: string | null
  failedAt: string | null
  failure: string | null
}

export type CountersRow = {
  accountId: string
  name: string
  value: number
}

export type WorkspaceTables = {
  secretsKeys: SecretsKeysRow
  accounts: AccountsRow
  settings: SettingsRow
  accountSlugs: AccountSlugsRow
  modules: ModulesRow
  billingSubscriptions: BillingSubscriptionsRow
  billingPayments: BillingPaymentsRow
  uploads: UploadsRow
  members: MembersRow
  memberEmails: MemberEmailsRow
  mails: MailsRow
  sentMails: SentMailsRow
  sessions: SessionsRow
  mailedLinks: MailedLinksRow
  secondFactors: SecondFactorsRow
  recoveryCodes: RecoveryCodesRow
  apiKeys: ApiKeysRow
  loginFailures: LoginFailuresRow
  idempotencyKeys: IdempotencyKeysRow
  events: EventsRow
  counters: CountersRow
  jobs: JobsRow
}
