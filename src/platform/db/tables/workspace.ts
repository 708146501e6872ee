// Rows of the workspace as Kysely sees them: migrations 0001, 0009, 0010, 0023, 0028, 0036, 0045 to 0048, 0092, 0096, 0106, 0120,
// 0162, 0191, 0200 and 0210.
import type { ColumnType, Generated } from 'kysely'
import type { ApprovalAction, Approvals } from '../../../core/approvals.ts'
import type { Module } from '../../../core/modules.ts'
import type { Currency, PaidTier, PlanPeriod } from '../../../core/plans.ts'
import type { ScaleBarcode } from '../../../core/scale-barcodes.ts'
import type { CatalogueType } from '../../scope.ts'

export type AccountsRow = {
  accountId: string
  name: string
  createdAt: Generated<string>
  updatedAt: Generated<string>
}

export type CatalogueVersionsRow = { accountId: string; version: number; tag: string; updatedAt: string }
export type CatalogueStepsRow = { accountId: string; version: number; tag: string; createdAt: string }
export type CatalogueChangesRow = {
  accountId: string
  type: CatalogueType
  id: string
  version: number
  updatedAt: string
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
  openItems: Generated<boolean>
  expenseCategories: Generated<string[]>
  npwp: string | null
  receiptThanks: string | null
  receiptQr: Generated<boolean>
  secondFactorRequired: Generated<boolean>
  publicSlug: string | null
  logoUrl: string | null
  thumbnailUrl: string | null
  approvals: ColumnType<Partial<Approvals>, string | undefined, string>
  scaleBarcodes: ColumnType<ScaleBarcode[], string | undefined, string>
  pricingVersion: string | null
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
  /** The periods after the current one. */
  following: ColumnType<PlanPeriod[], string, string>
  canceledAt: string | null
  lapsesAt: string | null
  createdAt: string
  updatedAt: string
}

/** Checkout sessions opened for a plan. */
export type BillingCheckoutsRow = {
  accountId: string
  sessionId: string
  tier: PaidTier
  currency: Currency
  amount: number
  expiresAt: string
  createdAt: string
  /** When the partner is asked next whether it was paid; null once that is known. */
  checkAt: string | null
}

export type BillingPaymentsRow = {
  accountId: string
  sessionId: string
  tier: PaidTier
  currency: Currency
  amount: number
  paidAt: string
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
  renderedAt: string | null
  refusedSha256: string | null
  refusal: string | null
  unusedSince: string | null
  createdAt: string
}

/** Every slug that a workspace has ever had (migration 0057). */
export type AccountSlugsRow = { slug: string; accountId: string; createdAt: string }

export type MembersRow = {
  accountId: string
  id: string
  email: string
  name: string
  role: 'OWNER' | 'MANAGER' | 'CASHIER'
  passwordHash: string | null
  inviteHash: string | null
  inviteExpiresAt: string | null
  /** When a person last proved to have access to the mailbox `email`. */
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
  /** The SHA-256 of the address in lower case, without a + and the part after it. */
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
  /** The User-Agent at the last request; null for sessions older than this column. */
  userAgent: Generated<string | null>
  address: Generated<string | null>
  secondFactor: Generated<boolean>
  /** The till whose PIN pad it began at; null for every other session. */
  tillId: Generated<string | null>
}

/** A browser that was enrolled as a till. */
export type TillsRow = {
  accountId: string
  id: string
  outletId: string
  name: string
  secretHash: string
  enrolledBy: string
  lastSeenAt: string
  revokedAt: string | null
  /** The till that was enrolled in the same browser afterwards. */
  replacedBy: string | null
  createdAt: string
  updatedAt: string
}

/** The random key that the PINs of a workspace are hashed with. */
export type PinKeysRow = {
  accountId: string
  /** Base64url, sealed. */
  key: string
  createdAt: string
  updatedAt: string
}

export type MemberPinsRow = {
  accountId: string
  memberId: string
  /** Argon2id. */
  pinHash: string
  /** Equal for equal PINs of one workspace. */
  pinMac: string
  createdAt: string
  updatedAt: string
}

export type TillMembersRow = {
  accountId: string
  tillId: string
  memberId: string
  lastUsedAt: string
}

/** An approval that was not used yet. */
export type ApprovalsRow = {
  accountId: string
  id: string
  tokenHash: string
  tillId: string
  /** Who gave it. */
  memberId: string
  action: ApprovalAction
  subjectId: string | null
  createdAt: string
  expiresAt: string
}

/** At most one for each member; it takes effect once it is confirmed. */
export type SecondFactorsRow = {
  accountId: string
  memberId: string
  /** Base32, sealed. */
  secret: string
  confirmedAt: string | null
  /** The number of the latest 30-second step since 1970 whose code was used. */
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

/** At most one of each kind for each member. */
export type MailedLinksRow = {
  accountId: string
  memberId: string
  kind: 'PASSWORD' | 'EMAIL'
  tokenHash: string
  /**
   * The SHA-256 of the address and, for a password reset, of the old password's hash: the link ends when either
   * changes.
   */
  boundTo: string
  createdAt: string
  expiresAt: string
}

export type ApiKeysRow = {
  accountId: string
  id: string
  name: string
  prefix: string
  /** Null for keys older than this column. */
  last4: string | null
  createdBy: string | null
  createdByName: string | null
  hash: string
  readOnly: Generated<boolean>
  /** The present role of the member who created it; the last role if the member left. */
  role: Generated<'OWNER' | 'MANAGER' | 'CASHIER'>
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
  /** JSON: the actor, and where the request came from. */
  cause: string | null
  /** The number of the transaction that wrote it; the database fills it in. */
  tx: Generated<string>
  createdAt: string
}

/** One row for the installation: the key that seals its secrets at rest. */
export type SecretsKeysRow = {
  /** `current`; during a rotation also `next` and `previous`; `signed <key id> <purpose>` of a removed key. */
  name: string
  keyId: string
  checkValue: string
  /** The key, sealed with the other one; null for the current one, which the database must not know. */
  sealed: Generated<string | null>
  expiresAt: Generated<string | null>
  createdAt: Generated<string>
  updatedAt: Generated<string>
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
  catalogueVersions: CatalogueVersionsRow
  catalogueSteps: CatalogueStepsRow
  catalogueChanges: CatalogueChangesRow
  accountSlugs: AccountSlugsRow
  modules: ModulesRow
  billingSubscriptions: BillingSubscriptionsRow
  billingCheckouts: BillingCheckoutsRow
  billingPayments: BillingPaymentsRow
  uploads: UploadsRow
  members: MembersRow
  memberEmails: MemberEmailsRow
  mails: MailsRow
  sentMails: SentMailsRow
  sessions: SessionsRow
  tills: TillsRow
  pinKeys: PinKeysRow
  memberPins: MemberPinsRow
  tillMembers: TillMembersRow
  approvals: ApprovalsRow
  mailedLinks: MailedLinksRow
  secondFactors: SecondFactorsRow
  recoveryCodes: RecoveryCodesRow
  apiKeys: ApiKeysRow
  loginFailures: LoginFailuresRow
  idempotencyKeys: IdempotencyKeysRow
  events: EventsRow
  counters: CountersRow
}
