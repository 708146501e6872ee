import { firstIdAt } from '../core/ids.ts'
import { addMs } from '../core/time.ts'
import { DAY_OF_PINS } from './auth/pins.ts'
import { catalogueExpires } from './events/catalogue-expires.ts'
import { expiryOf } from './http/idempotency.ts'
import type { Expires } from './jobs/sweep.ts'
import { countedSince } from './mail/budget.ts'
import { mailsKeptSince } from './mail/files.ts'

const DAY_MS = 24 * 3_600_000
/** Failed sign-ins: longer than the windows that count them. */
const COUNTED_MS = 60 * 60_000
/**
 * Webhook events are kept for a quarter, so that they can be sent and read back. Events of the audit log alone are
 * kept for a year and a month.
 */
const EVENTS_MS = 90 * DAY_MS
const AUDIT_MS = 400 * DAY_MS
/** Deliveries of webhooks, with every attempt (B-keep-1). */
const DELIVERIES_MS = 30 * DAY_MS
/** Revoked tills: kept a quarter, so that the records of their last days still lead somewhere. */
const TILLS_MS = 90 * DAY_MS
/** Deleted endpoints: kept longer than the deliveries that refer to them. */
const ENDPOINTS_MS = 90 * DAY_MS
/** Records of backups: longer than most people keep the files. */
const BACKUPS_MS = 400 * DAY_MS

// An event's id contains its time, so the primary key sorts by age.
const events = { table: 'events', key: ['id'], column: 'id', byWorkspace: true } as const

/** The expiring rows of the platform's own tables (decision 0013). */
export const platformExpires: readonly Expires[] = [
  { table: 'sessions', key: ['account_id', 'id'], column: 'expires_at', before: (now) => now },
  { table: 'approvals', key: ['account_id', 'id'], column: 'expires_at', before: (now) => now },
  {
    table: 'tills',
    key: ['account_id', 'id'],
    column: 'revoked_at',
    before: (now) => addMs(now, -TILLS_MS),
    only: 'revoked_at is not null',
  },
  {
    table: 'mailedLinks',
    key: ['account_id', 'member_id', 'kind'],
    column: 'expires_at',
    before: (now) => now,
  },
  { table: 'operatorTokens', key: ['token_hash'], column: 'expires_at', before: (now) => now },
  {
    table: 'backups',
    key: ['taken_at', 'file'],
    column: 'taken_at',
    before: (now) => addMs(now, -BACKUPS_MS),
  },
  {
    table: 'loginFailures',
    key: ['subject', 'id'],
    column: 'failed_at',
    before: (now) => addMs(now, -COUNTED_MS),
    only: `subject not like '${DAY_OF_PINS.prefix} %'`,
  },
  {
    table: 'loginFailures',
    key: ['subject', 'id'],
    column: 'failed_at',
    before: (now) => addMs(now, -DAY_OF_PINS.windowMs - COUNTED_MS),
  },
  // The current key and one that is being replaced have no expiry; the job of the rotation removes the latter.
  {
    table: 'secretsKeys',
    key: ['name'],
    column: 'expires_at',
    before: (now) => now,
    only: `name like 'signed %'`,
  },
  { table: 'sentMails', key: ['account_id', 'id'], column: 'sent_at', before: countedSince },
  {
    table: 'mails',
    key: ['account_id', 'id'],
    column: 'created_at',
    before: mailsKeptSince,
  },
  {
    table: 'idempotencyKeys',
    key: ['key'],
    column: 'created_at',
    before: (now) => expiryOf({ now }),
    byWorkspace: true,
  },
  {
    ...events,
    before: (_, nowMs) => firstIdAt('event', nowMs - EVENTS_MS),
    only: `type not like 'audit.%'`,
    // Events that were locked, or stamped by a clock that was behind, are found for another day.
    resumeAt: (sweptMs) => firstIdAt('event', sweptMs - EVENTS_MS - DAY_MS),
  },
  { ...events, before: (_, nowMs) => firstIdAt('event', nowMs - AUDIT_MS) },
  {
    table: 'webhookDeliveries',
    key: ['id'],
    column: 'id',
    byWorkspace: true,
    before: (_, nowMs) => firstIdAt('webhookDelivery', nowMs - DELIVERIES_MS),
  },
  {
    table: 'webhookSubscriptions',
    key: ['account_id', 'id'],
    column: 'updated_at',
    before: (now) => addMs(now, -ENDPOINTS_MS),
    only: `status = 'deleted'`,
  },
  ...catalogueExpires,
]
